// The adapters, driven by stand-ins for the SDKs that do what their sources say. Each SDK gets a client of its own.
// usage: node .build/clients/typescript/test/adapters.js FOLDER URL
//
// microsoft/react-native-code-push 9.0.1 typings/react-native-code-push.d.ts (commit 02633ef): checkForUpdate, download, install
// expo/expo packages/expo-updates/src/UseUpdates.types.ts (22dacda), Updates.types.ts (00b8ce6)
// gronxb/hot-updater packages/react-native/src/types.ts (06c3335), checkForUpdate.ts (00c8dca)
// Cap-go/capacitor-updater src/definitions.ts (00facc4): events and BundleInfo
// docs.swiftpatch.io/sdk/events: names and shapes of events

import { capgoStarted } from '../adapters/capgo'
import { codePushStarted, codePushUpdate } from '../adapters/codePush'
import { expoObserver, expoStarted, expoUpdate } from '../adapters/expo'
import { hotUpdaterReady, hotUpdaterStarted, hotUpdaterUpdate } from '../adapters/hotUpdater'
import { preferences } from '../adapters/preferences'
import { swiftpatchListener } from '../adapters/swiftpatch'
import { files } from '../src/files'
import { keyValue } from '../src/keyValue'
import { Uptake } from '../src/uptake'
import type { Storage } from '../src/uptake'

const [folder, url] = process.argv.slice(2)

async function client(app: string, storage: Storage = files(`${folder}/${app}`)): Promise<Uptake> {
  return Uptake.open({ url, app, storage, appVersion: '1.0', delay: 60_000 })
}

async function codePush(): Promise<void> {
  const uptake = await client('codePush')
  const local = (label: string, isFirstRun: boolean) =>
    ({ label, packageSize: 10, failedInstall: false, isFirstRun, install: async () => {} })
  const remote = (label: string, failedInstall: boolean, download = async () => local(label, false)) =>
    ({ label, packageSize: 10, failedInstall, download })
  let running: ReturnType<typeof local> | null = null
  let update: ReturnType<typeof remote> | null = remote('v1', false)
  const sdk = { checkForUpdate: async () => update, getUpdateMetadata: async () => running, notifyAppReady: async () => {} }
  await codePushStarted(uptake, sdk)
  await uptake.backgroundRefresh((scope) => codePushUpdate(scope, sdk))
  running = local('v1', true)
  update = remote('v2', false, async () => { throw new Error('offline') })
  await codePushStarted(uptake, sdk)
  await uptake.foreground((scope) => codePushUpdate(scope, sdk))
  update = remote('v2', true)
  await uptake.foreground((scope) => codePushUpdate(scope, sdk))
  update = null
  await uptake.foreground((scope) => codePushUpdate(scope, sdk))
  await uptake.flush()
}

async function expo(): Promise<void> {
  const uptake = await client('expo')
  const sdk = {
    updateId: null as string | null, isEmbeddedLaunch: true,
    checkForUpdateAsync: async () => ({ isAvailable: true, manifest: { id: 'u1' } }),
    fetchUpdateAsync: async () => ({ isNew: true })
  }
  await expoStarted(uptake, sdk)
  await uptake.backgroundRefresh((scope) => expoUpdate(scope, sdk))
  await expoStarted(uptake, { ...sdk, updateId: 'u1', isEmbeddedLaunch: false })
  const observe = expoObserver(uptake)
  const shown = uptake.beginForeground()
  const found = { availableUpdate: { updateId: 'u2' } }
  observe({ isDownloading: false })
  observe({ isDownloading: true, ...found })
  observe({ isDownloading: false, ...found, downloadedUpdate: { updateId: 'u2' } })
  observe({ isDownloading: false, ...found, downloadedUpdate: { updateId: 'u2' } })
  uptake.end(shown)
  await uptake.foreground((scope) => expoUpdate(scope, { ...sdk, fetchUpdateAsync: async () => { throw new Error('offline') } }))
  await uptake.flush()
}

async function hotUpdater(): Promise<void> {
  const uptake = await client('hotUpdater')
  let bundle = '0-min'
  const sdk = { getBundleId: () => bundle, getMinBundleId: () => '0-min' }
  await hotUpdaterStarted(uptake, sdk)
  await hotUpdaterReady(uptake, { type: 'UNCHANGED', fromBundleId: null, toBundleId: '0-min' })
  await uptake.foreground((scope) => hotUpdaterUpdate(scope, { id: 'b1', status: 'UPDATE', updateBundle: async () => true }))
  bundle = 'b1'
  await hotUpdaterStarted(uptake, sdk)
  await hotUpdaterReady(uptake, { type: 'UPDATE_APPLIED', fromBundleId: '0-min', toBundleId: 'b1' })
  await uptake.foreground((scope) => hotUpdaterUpdate(scope, { id: 'b2', status: 'UPDATE', updateBundle: async () => false }))
  await hotUpdaterReady(uptake, { type: 'RECOVERED', fromBundleId: 'b2', toBundleId: 'b1' })
  await hotUpdaterReady(uptake, { status: 'RECOVERED', crashedBundleId: 'b3' })
  await uptake.foreground((scope) => hotUpdaterUpdate(scope, null))
  await uptake.flush()
}

async function capgo(): Promise<void> {
  const kept = new Map<string, string>()
  const storage = keyValue(preferences({
    get: async ({ key }) => ({ value: kept.get(key) ?? null }),
    set: async ({ key, value }) => { kept.set(key, value) },
    remove: async ({ key }) => { kept.delete(key) },
    keys: async () => ({ keys: [...kept.keys()] })
  }))
  const uptake = await client('capgo', storage)
  const listeners = new Map<string, (event: never) => void>()
  let bundle = { id: 'builtin', version: '1.0' }
  const sdk = {
    current: async () => ({ bundle, native: '1.0' }),
    notifyAppReady: async () => ({ bundle }),
    addListener: async (name: string, listener: (event: never) => void) => { listeners.set(name, listener) }
  }
  const emit = (name: string, event: object) => listeners.get(name)?.(event as never)
  await capgoStarted(uptake, sdk)
  const shown = uptake.beginForeground()
  const next = { id: 'x1', version: '1.1' }
  emit('updateAvailable', { bundle: next })
  for (const percent of [10, 50, 100]) emit('download', { bundle: next, percent })
  emit('downloadComplete', { bundle: next })
  emit('downloadFailed', { version: '1.2' })
  emit('updateFailed', { bundle: { id: 'x3', version: '1.3' } })
  uptake.end(shown)
  bundle = next
  await capgoStarted(uptake, sdk)
  await uptake.flush()
}

async function swiftpatch(): Promise<void> {
  const uptake = await client('swiftpatch')
  const listener = swiftpatchListener(uptake)
  listener({ type: 'rollback', reason: 'boot loop' })
  listener({ type: 'error', error: { code: 'NETWORK_ERROR' } })
  await uptake.backgroundRefresh(async () => {
    listener({ type: 'update-available', update: { hash: 'h1' } })
    listener({ type: 'download-progress', hash: 'h1' })
    listener({ type: 'update-ready', update: { hash: 'h1' } })
  })
  listener({ eventType: 'ROLLBACK_PROD', releaseHash: 'h2', errorMessage: 'boot loop' })
  listener({ type: 'rollback', reason: 'boot loop' })
  await uptake.flush()
}

/** Whatever becomes of the client, an updater hears in time that the app is ready. */
async function ready(): Promise<void> {
  const forever = new Promise<never>(() => {})
  const hangs = files(`${folder}/hangs`)
  const openings = [
    () => forever, () => Promise.reject(new Error('as asked')), () => client('hangs', { ...hangs, append: () => forever })
  ]
  for (const open of openings) {
    for (const start of [capgoReady, codePushReady]) {
      await Promise.race([
        new Promise<void>((told) => { start(open(), async () => told()).catch(() => {}) }),
        new Promise((_, reject) => { setTimeout(() => reject(new Error('nobody was told that the app is ready')), 5000) })
      ])
    }
  }
}

function capgoReady(opening: Promise<Uptake>, notifyAppReady: () => Promise<void>): Promise<void> {
  const current = async () => ({ bundle: { id: 'x1', version: '1.1' }, native: '1.0' })
  return capgoStarted(opening, { current, notifyAppReady, addListener: async () => {} })
}

function codePushReady(opening: Promise<Uptake>, notifyAppReady: () => Promise<void>): Promise<void> {
  return codePushStarted(opening, { checkForUpdate: async () => null, getUpdateMetadata: async () => null, notifyAppReady })
}

async function main(): Promise<void> {
  for (const adapter of [codePush, expo, hotUpdater, capgo, swiftpatch, ready]) await adapter()
  process.exit(0)
}

void main()
