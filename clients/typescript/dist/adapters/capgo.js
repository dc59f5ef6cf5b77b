"use strict";
// @capgo/capacitor-updater: src/definitions.ts (5 to 8).
Object.defineProperty(exports, "__esModule", { value: true });
exports.capgoStarted = void 0;
const ready_1 = require("./ready");
/**
 * At each start, in place of `notifyAppReady`; takes what `Uptake.open` answers as it is. Listens before it tells the plugin that the app is
 * ready, and tells it after a second at the latest, and where the client cannot be opened: only then is it rejected.
 */
async function capgoStarted(opening, updater) {
    const begun = begin(opening, updater);
    await (0, ready_1.readyAfter)(begun, () => updater.notifyAppReady());
    const { uptake, release } = await begun;
    if (release !== null)
        await uptake.current.record('confirmed', release);
}
exports.capgoStarted = capgoStarted;
async function begin(opening, updater) {
    const [uptake, { bundle }] = await Promise.all([opening, updater.current()]);
    const release = bundle.id === 'builtin' ? null : bundle.version;
    await uptake.started(release);
    await listen(uptake, updater);
    return { uptake, release };
}
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
