// expo-updates: src/UseUpdates.types.ts, src/Updates.types.ts (SDK 50 to 56).

import type { Outcome, Scope, Uptake } from '../src/uptake'

type Manifest = { id?: string }
export type Updates = {
  updateId: string | null
  isEmbeddedLaunch: boolean
  checkForUpdateAsync(): Promise<{ isAvailable: boolean, manifest?: Manifest }>
  fetchUpdateAsync(): Promise<{ isNew: boolean }>
}
/** What `useUpdates()` answers, as far as it is needed here. */
export type UpdatesState = {
  isDownloading: boolean
  availableUpdate?: { updateId?: string }
  downloadedUpdate?: { updateId?: string }
  downloadError?: Error
}

/** At each start: `import * as Updates from 'expo-updates'`, then `expoStarted(uptake, Updates)`. */
export async function expoStarted(uptake: Uptake, updates: Updates): Promise<void> {
  await uptake.started(updates.isEmbeddedLaunch ? null : updates.updateId)
}

/** Checks and downloads; the update runs at the next start. For background tasks and buttons. */
export async function expoUpdate(scope: Scope, updates: Updates): Promise<Outcome> {
  const { isAvailable, manifest } = await updates.checkForUpdateAsync()
  // A directive to roll back to the build from the store has no manifest.
  if (!isAvailable || manifest?.id === undefined) return 'noData'
  await scope.record('available', manifest.id)
  await scope.record('downloadStarted', manifest.id)
  try {
    await updates.fetchUpdateAsync()
  } catch (problem) {
    await scope.record('failed', manifest.id, { reason: String(problem) })
    return 'failed'
  }
  await scope.record('downloadCompleted', manifest.id)
  await scope.record('ready', manifest.id)
  return 'newData'
}

/** For the updates that Expo loads by itself at a start: give it every state of `useUpdates()`, in an effect. */
export function expoObserver(uptake: Uptake): (state: UpdatesState) => void {
  const said = new Set<string>()
  function once(stage: 'available' | 'downloadStarted' | 'downloadCompleted' | 'ready' | 'failed', release?: string, reason?: string): void {
    if (release === undefined || said.has(stage + release)) return
    said.add(stage + release)
    void uptake.current.record(stage, release, { reason })
  }
  return (state) => {
    once('available', state.availableUpdate?.updateId)
    if (state.isDownloading) once('downloadStarted', state.availableUpdate?.updateId)
    if (state.downloadError) once('failed', state.availableUpdate?.updateId, state.downloadError.message)
    once('downloadCompleted', state.downloadedUpdate?.updateId)
    once('ready', state.downloadedUpdate?.updateId)
  }
}
