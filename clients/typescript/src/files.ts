// Storage in a folder, for Node and Electron: what is written is on the disk before the promise is fulfilled.

import { mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises'
import type { Storage } from './uptake'

export function files(folder: string): Storage {
  // Made again where it was cleared, or could not be made.
  let made: Promise<unknown> | undefined
  const there = () => made ??= mkdir(folder, { recursive: true }).catch((problem) => { made = undefined; throw problem })
  const path = (name: string) => `${folder}/${name}`
  async function put(file: string, flags: string, text: string): Promise<void> {
    const handle = await open(file, flags)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally { await handle.close() }
  }
  return {
    async read(name) {
      await there()
      return await readFile(path(name), 'utf8').catch((problem) => {
        if (problem.code === 'ENOENT') return null
        throw problem
      })
    },
    async write(name, text) {
      await there()
      await put(path(name) + '.new', 'w', text)
      await rename(path(name) + '.new', path(name))
      const directory = await open(folder, 'r')
      try { await directory.sync() } catch { /* Windows does not sync folders */ } finally { await directory.close() }
    },
    append: async (name, text) => { await there(); await put(path(name), 'a', text) },
    async clear() {
      made = undefined
      for (const name of ['state', 'queue', 'state.new', 'queue.new']) await rm(path(name), { force: true })
      await rmdir(folder).catch(() => { /* What else is in it is not this client's. */ })
    }
  }
}
