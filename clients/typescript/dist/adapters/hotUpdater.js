"use strict";
// @hot-updater/react-native: packages/react-native/src/types.ts, checkForUpdate.ts (0.20 to 0.36, and `next`).
Object.defineProperty(exports, "__esModule", { value: true });
exports.hotUpdaterUpdate = exports.hotUpdaterReady = exports.hotUpdaterStarted = void 0;
/** The bundle that runs; null for the one of the build from the store, which has the smallest id that can be. */
const running = (updater) => updater.getBundleId() === updater.getMinBundleId() ? null : updater.getBundleId();
/** At each start. */
async function hotUpdaterStarted(uptake, updater) {
    await uptake.started(running(updater));
}
exports.hotUpdaterStarted = hotUpdaterStarted;
/** In the resolver: `notifyAppReady: (ready) => hotUpdaterReady(uptake, ready)`. It takes the place of the report to the server. */
async function hotUpdaterReady(uptake, ready) {
    const broken = ready.fromBundleId ?? ready.crashedBundleId;
    if ((ready.type ?? ready.status) === 'RECOVERED' && broken)
        await uptake.current.record('rolledBack', broken);
    if (ready.type === 'UPDATE_APPLIED' && ready.toBundleId)
        await uptake.current.record('confirmed', ready.toBundleId);
}
exports.hotUpdaterReady = hotUpdaterReady;
/** What `HotUpdater.checkForUpdate` found, installed for the next start. */
async function hotUpdaterUpdate(scope, update) {
    if (update === null)
        return 'noData';
    await scope.record('available', update.id);
    await scope.record('downloadStarted', update.id);
    try {
        if (!await update.updateBundle())
            throw new Error('updateBundle');
    }
    catch (problem) {
        await scope.record('failed', update.id, { reason: String(problem) });
        return 'failed';
    }
    await scope.record('downloadCompleted', update.id);
    await scope.record('ready', update.id);
    return 'newData';
}
exports.hotUpdaterUpdate = hotUpdaterUpdate;
