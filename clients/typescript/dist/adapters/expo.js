"use strict";
// expo-updates: src/UseUpdates.types.ts, src/Updates.types.ts (SDK 50 to 56).
Object.defineProperty(exports, "__esModule", { value: true });
exports.expoObserver = exports.expoUpdate = exports.expoStarted = void 0;
/** At each start: `import * as Updates from 'expo-updates'`, then `expoStarted(uptake, Updates)`. */
async function expoStarted(uptake, updates) {
    await uptake.started(updates.isEmbeddedLaunch ? null : updates.updateId);
}
exports.expoStarted = expoStarted;
/** Checks and downloads; the update runs at the next start. For background tasks and buttons. */
async function expoUpdate(scope, updates) {
    const { isAvailable, manifest } = await updates.checkForUpdateAsync();
    // A directive to roll back to the build from the store has no manifest.
    if (!isAvailable || manifest?.id === undefined)
        return 'noData';
    await scope.record('available', manifest.id);
    await scope.record('downloadStarted', manifest.id);
    try {
        await updates.fetchUpdateAsync();
    }
    catch (problem) {
        await scope.record('failed', manifest.id, { reason: String(problem) });
        return 'failed';
    }
    await scope.record('downloadCompleted', manifest.id);
    await scope.record('ready', manifest.id);
    return 'newData';
}
exports.expoUpdate = expoUpdate;
/** For the updates that Expo loads by itself at a start: give it every state of `useUpdates()`, in an effect. */
function expoObserver(uptake) {
    const said = new Set();
    function once(stage, release, reason) {
        if (release === undefined || said.has(stage + release))
            return;
        said.add(stage + release);
        void uptake.current.record(stage, release, { reason });
    }
    return (state) => {
        once('available', state.availableUpdate?.updateId);
        if (state.isDownloading)
            once('downloadStarted', state.availableUpdate?.updateId);
        if (state.downloadError)
            once('failed', state.availableUpdate?.updateId, state.downloadError.message);
        once('downloadCompleted', state.downloadedUpdate?.updateId);
        once('ready', state.downloadedUpdate?.updateId);
    };
}
exports.expoObserver = expoObserver;
