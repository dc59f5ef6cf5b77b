// The client on a line of words each, for Tests/Clients/test_own.py: words are parted by tabs.
// usage: node .build/clients/typescript/test/probe.js FOLDER URL [capacity=N] [base=MS] [budget=MS] [delay=MS] [storage=keyValue] [key=KEY] [app=APP] [device=ID]
//   [deviceModel=MODEL] [region=REGION] [plan=TAG]

import { createInterface } from 'node:readline'
import { files } from '../src/files'
import { keyValue } from '../src/keyValue'
import type { KeyValue } from '../src/keyValue'
import { Uptake, armOf, arrivalOrTap, bucketOf, cause, clean, cut, eventsAddress, judge, linesOf, pause } from '../src/uptake'
import type { AppState, Details, Outcome, Scope, Stage, Storage } from '../src/uptake'

const [folder, url, ...settings] = process.argv.slice(2)
const setting = Object.fromEntries(settings.map((word) => word.split('=')))
const number = (name: string) => setting[name] === undefined ? undefined : Number(setting[name])

/** A store of keys and values, kept in files of one storage. */
function store(): KeyValue {
  const place = files(folder + '/keys')
  const keys = async (): Promise<string[]> => JSON.parse(await place.read('index') ?? '[]')
  return {
    getItem: async (key) => (await keys()).includes(key) ? await place.read(key) : null,
    async setItem(key, value) {
      const known = await keys()
      await place.write(key, value)
      if (!known.includes(key)) await place.write('index', JSON.stringify([...known, key]))
    },
    removeItem: async (key) => place.write('index', JSON.stringify((await keys()).filter((other) => other !== key))),
    getAllKeys: keys
  }
}

function details(words: string[]): Details {
  return Object.fromEntries(words.map((word) => {
    const [name, value] = [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]
    return [name, name === 'durationMs' || name === 'bytes' ? Number(value) : value]
  }))
}

const hex = (text: string): string => Array.from(text, (part) => part.codePointAt(0)?.toString(16)).join(' ')

/** The work of a wake-up: stages to record, then what it comes to. */
function work(outcome: string, stages: string[]): (scope: Scope) => Promise<Outcome | void> {
  return async (scope) => {
    for (const stage of stages) await scope.record(stage as Stage, 'r2')
    if (outcome === 'throws') throw new Error('as asked')
    if (outcome === 'never') await new Promise(() => {})
    return outcome === '' ? undefined : outcome as Outcome
  }
}

async function obey(uptake: Uptake, [command, ...words]: string[]): Promise<unknown> {
  switch (command) {
    case 'judge': {
      const { remove, refused, next } = judge(Number(words[0]), words[2], Number(words[1]))
      return [remove, refused, next].join(' ')
    }
    case 'pause':
      return pause(words[0] as 'retry', Number(words[1]), Number(words[2]), words[3] || null, Number(words[4]))
    case 'cause': return cause(Number(words[0]), words[1])
    case 'address': return eventsAddress(words[0])
    case 'push': return arrivalOrTap(words[0] as AppState, words[1] === 'true')
    case 'arm': {
      const arms = words[2].split(',').map((arm): [string, number] => [arm.split(':')[0], Number(arm.split(':')[1])])
      return `${bucketOf(words[0], words[1])} ${armOf(words[0], { name: words[1], arms }) ?? '-'}`
    }
    case 'lines': return linesOf(JSON.parse(words[0])).join('|')
    case 'clean': return hex(clean(JSON.parse(words[0])))
    case 'cut': return hex(cut(JSON.parse(words[0]), Number(words[1])))
    case 'record': return await uptake.current.record(words[0] as Stage, words[1] || undefined, details(words.slice(2)))
    case 'started': return await uptake.started(words[0] || null)
    case 'foreground': return await uptake.foreground((scope) => scope.record(words[0] as Stage, words[1]))
    case 'screen': {
      const scope = uptake.beginForeground()
      await scope.record(words[0] as Stage, words[1])
      return uptake.end(scope)
    }
    case 'backgroundRefresh': return await uptake.backgroundRefresh(work(words[0], words.slice(1)))
    case 'silentPush': {
      const push = { id: 'p1', release: 'r2', appState: words[0] as AppState, appIsStarting: words[1] === 'true' }
      return await uptake.silentPush(push, work(words[2], words.slice(3)))
    }
    case 'device': return uptake.device
    case 'close': return await uptake.close({ forget: words[0] === 'forget' })
    case 'flush':
      await uptake.flush()
      return await obey(uptake, ['status'])
    case 'wait':
      await new Promise((done) => { setTimeout(done, Number(words[0])) })
      return undefined
    case 'clock': {
      // Set so many milliseconds on; timers know nothing of it, as after a sleep.
      const now = Date.now
      Date.now = () => now() + Number(words[0])
      return undefined
    }
    case 'status': return Object.values(uptake.status).slice(0, 4).join(' ')
    default: throw new Error(`unknown command ${command}`)
  }
}

async function main(): Promise<void> {
  const storage: Storage = setting.storage === 'keyValue' ? keyValue(store()) : files(folder)
  const uptake = await Uptake.open({
    url, storage, app: setting.app ?? 'com.example.demo', appVersion: '1.4.0', platform: 'ios', key: setting.key, device: setting.device, deviceModel: setting.deviceModel,
    region: setting.region, tags: setting.plan === undefined ? undefined : { plan: setting.plan }, capacity: number('capacity'),
    retryBase: number('base'), budget: number('budget'), delay: number('delay'),
    experiment: { name: 'push', arms: [['holdout', 50], ['push', 50]] },
    onProblem: (problem) => {
      if (setting.problems) process.stdout.write(`problem: ${problem}\n`)
      if (setting.throws) throw new Error(problem)
    }
  })
  process.stdout.write('open\n')
  for await (const line of createInterface({ input: process.stdin })) {
    const said = await obey(uptake, line.split('\t'))
    process.stdout.write(`${said === undefined || said === '' ? 'done' : said}\n`)
  }
  process.exit(0)
}

void main()
