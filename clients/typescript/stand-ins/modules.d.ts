// What docs/clients/own-typescript.md uses of other packages, so that the page is compiled without them.
declare const process: { env: Record<string, string | undefined> }
declare module '@react-native-async-storage/async-storage' {
  const store: {
    getItem(key: string): Promise<string | null>, setItem(key: string, value: string): Promise<void>
    removeItem(key: string): Promise<void>, getAllKeys(): Promise<readonly string[]>
  }
  export default store
}
declare module 'react-native' {
  export const AppState: { currentState: string, addEventListener(name: 'change', listener: (state: string) => void): unknown }
}
declare module 'react-native-code-push' {
  type Package = { label: string, packageSize: number, failedInstall: boolean }
  type Local = Package & { isFirstRun: boolean, install(mode?: number): Promise<void> }
  const codePush: {
    checkForUpdate(): Promise<Package & { download(): Promise<Local> } | null>
    getUpdateMetadata(): Promise<Local | null>, notifyAppReady(): Promise<unknown>
  }
  export default codePush
}
declare module 'expo-updates' {
  export const updateId: string | null, isEmbeddedLaunch: boolean
  export function checkForUpdateAsync(): Promise<{ isAvailable: boolean, manifest?: { id?: string } }>
  export function fetchUpdateAsync(): Promise<{ isNew: boolean }>
}
declare module '@hot-updater/react-native' {
  export const HotUpdater: {
    getBundleId(): string, getMinBundleId(): string
    checkForUpdate(options: object): Promise<{ id: string, status: 'UPDATE' | 'ROLLBACK', updateBundle(): Promise<boolean> } | null>
  }
}
declare module '@capgo/capacitor-updater' {
  type Bundle = { id: string, version: string }
  type Event = { bundle: Bundle, version: string, percent: number, status: string }
  export const CapacitorUpdater: {
    current(): Promise<{ bundle: Bundle, native: string }>, notifyAppReady(): Promise<unknown>
    addListener(name: string, listener: (event: Event) => void): Promise<unknown>
  }
}
declare module '@capacitor/preferences' {
  export const Preferences: {
    get(option: { key: string }): Promise<{ value: string | null }>, set(option: { key: string, value: string }): Promise<void>
    remove(option: { key: string }): Promise<void>, keys(): Promise<{ keys: string[] }>
  }
}
declare module '@swiftpatch/react-native' {
  export const SwiftPatch: { addListener(listener: (event: object) => void): unknown }
}
declare module 'react-native-release-health' {
  export const ReleaseHealth: { init(options: { adapter: object, sinks: object[] }): void }
}
declare module '@release-health/sink-http' {
  export function httpSink(options: { url: string, headers?: Record<string, string> }): object
}
