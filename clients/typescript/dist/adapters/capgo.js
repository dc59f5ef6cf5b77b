"use strict";
// @capgo/capacitor-updater: src/definitions.ts (5 to 8).
Object.defineProperty(exports, "__esModule", { value: true });
exports.capgoStarted = void 0;
/** At each start, in place of `notifyAppReady`. Listens before it tells the plugin that the app is ready. */
async function capgoStarted(uptake, updater) {
    const { bundle } = await updater.current();
    const release = bundle.id === 'builtin' ? null : bundle.version;
    await uptake.started(release);
    await listen(uptake, updater);
    await updater.notifyAppReady();
    if (release !== null)
        await uptake.current.record('confirmed', release);
}
exports.capgoStarted = capgoStarted;
/** Capgo's events name no cause: their trigger is that of the scope that goes on meanwhile. */
async function listen(uptake, updater) {
    const begun = new Set();
    await updater.addListener('updateAvailable', ({ bundle }) => void uptake.current.record('available', bundle.version));
    await updater.addListener('download', ({ bundle }) => {
        if (begun.has(bundle.id))
            return;
        begun.add(bundle.id);
        void uptake.current.record('downloadStarted', bundle.version);
    });
    // The bundle is checked and unpacked by then, and waits for the app to go to the background.
    await updater.addListener('downloadComplete', ({ bundle }) => {
        void uptake.current.record('downloadCompleted', bundle.version);
        void uptake.current.record('ready', bundle.version);
    });
    await updater.addListener('downloadFailed', ({ version }) => void uptake.current.record('failed', version, { reason: 'download' }));
    // It did not call notifyAppReady in time, and the one before is back.
    await updater.addListener('updateFailed', ({ bundle }) => void uptake.current.record('rolledBack', bundle.version));
}
