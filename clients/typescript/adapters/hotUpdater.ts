// @hot-updater/react-native: packages/react-native/src/types.ts, checkForUpdate.ts (0.20 to 0.36, and `next`).

import type { Outcome, Scope, Uptake } from '../src/uptake'

export type HotUpdater = { getBundleId(): string, getMinBundleId(): string }
/** What `resolver.notifyAppReady` is given: `type` since `next`, `status` before. */
export type AppReady = {
  type?: 'UPDATE_APPLIED' | 'RECOVERED' | 'UNCHANGED' | 'RELEASE_ADOPTED', fromBundleId?: string | null, toBundleId?: string
  status?: 'STABLE' | 'RECOVERED', crashedBundleId?: string
}
export type Update = { id: string, status: 'UPDATE' | 'ROLLBACK', updateBundle(): Promise<boolean> }

/** The bundle that runs; null for the one of the build from the store, which has the smallest id that can be. */
const running = (updater: HotUpdater) => updater.getBundleId() === updater.getMinBundleId() ? null : updater.getBundleId()

/** At each start. */
export async function hotUpdaterStarted(uptake: Uptake, updater: HotUpdater): Promise<void> {
  await uptake.started(running(updater))
}

/** In the resolver: `notifyAppReady: (ready) => hotUpdaterReady(uptake, ready)`. It takes the place of the report to the server. */
export async function hotUpdaterReady(uptake: Uptake, ready: AppReady): Promise<void> {
  const broken = ready.fromBundleId ?? ready.crashedBundleId
  if ((ready.type ?? ready.status) === 'RECOVERED' && broken) await uptake.current.record('rolledBack', broken)
  if (ready.type === 'UPDATE_APPLIED' && ready.toBundleId) await uptake.current.record('confirmed', ready.toBundleId)
}

/** What `HotUpdater.checkForUpdate` found, installed for the next start. */
export async function hotUpdaterUpdate(scope: Scope, update: Update | null): Promise<Outcome> {
  if (update === null) return 'noData'
  await scope.record('available', update.id)
  await scope.record('downloadStarted', update.id)
  try {
    if (!await update.updateBundle()) throw new Error('updateBundle')
  } catch (problem) {
    await scope.record('failed', update.id, { reason: String(problem) })
    return 'failed'
  }
  await scope.record('downloadCompleted', update.id)
  await scope.record('ready', update.id)
  return 'newData'
}
