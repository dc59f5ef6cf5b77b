// Swiftpatch's SDK: docs.swiftpatch.io/sdk/events, both generations of its events. The service maps the same words.

import type { Stage, Uptake } from '../src/uptake'

export type SwiftpatchEvent = {
  type?: string, eventType?: string, releaseHash?: string, hash?: string, update?: { hash?: string, id?: string }
  errorMessage?: string, reason?: string, error?: { code?: string }
}

const STAGES: Record<string, Stage> = {
  'update-available': 'available', 'download-started': 'downloadStarted', 'download-complete': 'downloadCompleted',
  'update-ready': 'ready', 'update-applied': 'applied', 'update-dismissed': 'dismissed', rollback: 'rolledBack', error: 'failed',
  DOWNLOAD_PROD_STARTED: 'downloadStarted', DOWNLOAD_PROD_COMPLETED: 'downloadCompleted', DOWNLOAD_PROD_FAILED: 'failed',
  INSTALLED_PROD: 'ready', STABILIZE_PROD: 'confirmed', ROLLBACK_PROD: 'rolledBack', CORRUPTION_PROD: 'failed',
  VERSION_CHANGED: 'applied', CRASH_DETECTED: 'crashed', SYNC_ERROR: 'failed'
}

/**
 * `SwiftPatch.addListener(swiftpatchListener(uptake))`. What names no release is about what is known since the app started: a rollback about
 * the one that was installed last, an error about the one that is being fetched, as the service has it. Where none is known, it is a
 * failure of no release.
 */
export function swiftpatchListener(uptake: Uptake): (event: SwiftpatchEvent) => void {
  let fetching: string | undefined
  let installed: string | undefined
  return (event) => {
    const stage = STAGES[event.eventType ?? event.type ?? '']
    const named = event.releaseHash ?? event.hash ?? event.update?.hash ?? event.update?.id
    const reason = event.errorMessage ?? event.reason ?? event.error?.code
    const release = named ?? (stage === 'failed' ? fetching : stage === 'rolledBack' ? installed : undefined)
    if (stage === 'rolledBack' && release === undefined) {
      void uptake.current.record('failed', undefined, { reason: reason === undefined ? 'rollback' : `rollback: ${reason}` })
    } else if (stage !== undefined && (stage === 'failed' || release !== undefined)) {
      void uptake.current.record(stage, release, { reason })
    }
    if (stage === 'available' || stage === 'downloadStarted' || stage === 'downloadCompleted') fetching = release ?? fetching
    if (stage === 'ready' || stage === 'applied' || stage === 'confirmed') [fetching, installed] = [undefined, release ?? installed]
    if (stage === 'failed') fetching = undefined
  }
}
