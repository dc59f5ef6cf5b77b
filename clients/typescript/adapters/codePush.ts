// react-native-code-push, and its forks with the same interface: typings/react-native-code-push.d.ts, CodePush.js (9.0.1).
//
// `sync` is not used: the status that it reports names no release. What it does is done here step by step.

import type { Outcome, Scope, Uptake } from '../src/uptake'

type Package = { label: string, packageSize: number, failedInstall: boolean }
type LocalPackage = Package & { isFirstRun: boolean, install(mode?: number): Promise<void> }
type RemotePackage = Package & { download(): Promise<LocalPackage> }
export type CodePush = {
  checkForUpdate(): Promise<RemotePackage | null>
  getUpdateMetadata(): Promise<LocalPackage | null>
  notifyAppReady(): Promise<unknown>
}

/** At each start, in place of `notifyAppReady`. */
export async function codePushStarted(uptake: Uptake, codePush: CodePush): Promise<void> {
  const running = await codePush.getUpdateMetadata()
  await uptake.started(running?.label ?? null)
  await codePush.notifyAppReady()
  if (running?.isFirstRun) await uptake.current.record('confirmed', running.label)
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
