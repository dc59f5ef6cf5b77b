// react-native-code-push, and its forks with the same interface: typings/react-native-code-push.d.ts, CodePush.js (9.0.1).
//
// `sync` is not used: the status that it reports names no release. What it does is done here step by step.

import type { Outcome, Scope, Uptake } from '../src/uptake'
import { readyAfter } from './ready'

type Package = { label: string, packageSize: number, failedInstall: boolean }
type LocalPackage = Package & { isFirstRun: boolean, install(mode?: number): Promise<void> }
type RemotePackage = Package & { download(): Promise<LocalPackage> }
export type CodePush = {
  checkForUpdate(): Promise<RemotePackage | null>
  getUpdateMetadata(): Promise<LocalPackage | null>
  notifyAppReady(): Promise<unknown>
}

/**
 * At each start, in place of `notifyAppReady`; takes what `Uptake.open` answers as it is. Tells CodePush that the app is ready after a second
 * at the latest, and where the client cannot be opened: only then is it rejected.
 */
export async function codePushStarted(opening: Uptake | Promise<Uptake>, codePush: CodePush): Promise<void> {
  const begun = begin(opening, codePush)
  await readyAfter(begun, () => codePush.notifyAppReady())
  const { uptake, running } = await begun
  if (running?.isFirstRun) await uptake.current.record('confirmed', running.label)
}

async function begin(opening: Uptake | Promise<Uptake>, codePush: CodePush) {
  const [uptake, running] = await Promise.all([opening, codePush.getUpdateMetadata()])
  await uptake.started(running?.label ?? null)
  return { uptake, running }
}

/** Checks, downloads and installs for the next restart, or as `installMode` says. */
export async function codePushUpdate(scope: Scope, codePush: CodePush, installMode?: number): Promise<Outcome> {
  const update = await codePush.checkForUpdate()
  if (update === null) return 'noData'
  const release = update.label
  // CodePush tells nobody else in the app that an update was rolled back, and does not install it again.
  if (update.failedInstall) {
    await scope.record('rolledBack', release)
    return 'noData'
  }
  await scope.record('available', release, { bytes: update.packageSize })
  await scope.record('downloadStarted', release)
  try {
    const start = Date.now()
    const local = await update.download()
    await scope.record('downloadCompleted', release, { bytes: update.packageSize, durationMs: Math.max(0, Date.now() - start) })
    await local.install(installMode)
  } catch (problem) {
    await scope.record('failed', release, { reason: String(problem) })
    return 'failed'
  }
  await scope.record('ready', release)
  return 'newData'
}
