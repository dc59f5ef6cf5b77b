"use strict";
// Swiftpatch's SDK: docs.swiftpatch.io/sdk/events, both generations of its events. The service maps the same words.
Object.defineProperty(exports, "__esModule", { value: true });
exports.swiftpatchListener = void 0;
const STAGES = {
    'update-available': 'available', 'download-started': 'downloadStarted', 'download-complete': 'downloadCompleted',
    'update-ready': 'ready', 'update-applied': 'applied', 'update-dismissed': 'dismissed', rollback: 'rolledBack', error: 'failed',
    DOWNLOAD_PROD_STARTED: 'downloadStarted', DOWNLOAD_PROD_COMPLETED: 'downloadCompleted', DOWNLOAD_PROD_FAILED: 'failed',
    INSTALLED_PROD: 'ready', STABILIZE_PROD: 'confirmed', ROLLBACK_PROD: 'rolledBack', CORRUPTION_PROD: 'failed',
    VERSION_CHANGED: 'applied', CRASH_DETECTED: 'crashed', SYNC_ERROR: 'failed'
};
/**
 * `SwiftPatch.addListener(swiftpatchListener(uptake))`. What names no release is about what is known since the app started: a rollback about
 * the one that was installed last, an error about the one that is being fetched, as the service has it. Where none is known, it is a
 * failure of no release.
 */
function swiftpatchListener(uptake) {
    let fetching;
    let installed;
    return (event) => {
        const stage = STAGES[event.eventType ?? event.type ?? ''];
        const named = event.releaseHash ?? event.hash ?? event.update?.hash ?? event.update?.id;
        const reason = event.errorMessage ?? event.reason ?? event.error?.code;
        const release = named ?? (stage === 'failed' ? fetching : stage === 'rolledBack' ? installed : undefined);
        if (stage === 'rolledBack' && release === undefined) {
            void uptake.current.record('failed', undefined, { reason: reason === undefined ? 'rollback' : `rollback: ${reason}` });
        }
        else if (stage !== undefined && (stage === 'failed' || release !== undefined)) {
            void uptake.current.record(stage, release, { reason });
        }
        if (stage === 'available' || stage === 'downloadStarted' || stage === 'downloadCompleted')
            fetching = release ?? fetching;
        if (stage === 'ready' || stage === 'applied' || stage === 'confirmed')
            [fetching, installed] = [undefined, release ?? installed];
        if (stage === 'failed')
            fetching = undefined;
    };
}
exports.swiftpatchListener = swiftpatchListener;
