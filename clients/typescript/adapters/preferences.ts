// `@capacitor/preferences` (Capacitor 5 to 8) as the store of keys and values that `keyValue` takes.

import type { KeyValue } from '../src/keyValue'

export function preferences(store: {
  get(option: { key: string }): Promise<{ value: string | null }>
  set(option: { key: string, value: string }): Promise<void>
  remove(option: { key: string }): Promise<void>
  keys(): Promise<{ keys: string[] }>
}): KeyValue {
  return {
    getItem: async (key) => (await store.get({ key })).value,
    setItem: (key, value) => store.set({ key, value }),
    removeItem: (key) => store.remove({ key }),
    getAllKeys: async () => (await store.keys()).keys
  }
}
