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
 * `SwiftPatch.addListener(swiftpatchListener(uptake))`. What names no release, as a rollback may, is about the last that was named since the
 * app started; where none was, it is a failure of no release.
 */
export function swiftpatchListener(uptake: Uptake): (event: SwiftpatchEvent) => void {
  let last: string | undefined
  return (event) => {
    const stage = STAGES[event.eventType ?? event.type ?? '']
    last = event.releaseHash ?? event.hash ?? event.update?.hash ?? event.update?.id ?? last
    const reason = event.errorMessage ?? event.reason ?? event.error?.code
    if (stage === 'rolledBack' && last === undefined) {
      void uptake.current.record('failed', undefined, { reason: reason === undefined ? 'rollback' : `rollback: ${reason}` })
    } else if (stage !== undefined && (stage === 'failed' || last !== undefined)) {
      void uptake.current.record(stage, last, { reason })
    }
  }
}
