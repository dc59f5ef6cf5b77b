"use strict";
// react-native-code-push, and its forks with the same interface: typings/react-native-code-push.d.ts, CodePush.js (9.0.1).
//
// `sync` is not used: the status that it reports names no release. What it does is done here step by step.
Object.defineProperty(exports, "__esModule", { value: true });
exports.codePushUpdate = exports.codePushStarted = void 0;
const ready_1 = require("./ready");
/**
 * At each start, in place of `notifyAppReady`; takes what `Uptake.open` answers as it is. Tells CodePush that the app is ready after a second
 * at the latest, and where the client cannot be opened: only then is it rejected.
 */
async function codePushStarted(opening, codePush) {
    const begun = begin(opening, codePush);
    await (0, ready_1.readyAfter)(begun, () => codePush.notifyAppReady());
    const { uptake, running } = await begun;
    if (running?.isFirstRun)
        await uptake.current.record('confirmed', running.label);
}
exports.codePushStarted = codePushStarted;
async function begin(opening, codePush) {
    const [uptake, running] = await Promise.all([opening, codePush.getUpdateMetadata()]);
    await uptake.started(running?.label ?? null);
    return { uptake, running };
}
/** Checks, downloads and installs for the next restart, or as `installMode` says. */
async function codePushUpdate(scope, codePush, installMode) {
    const update = await codePush.checkForUpdate();
    if (update === null)
        return 'noData';
    const release = update.label;
    // CodePush tells nobody else in the app that an update was rolled back, and does not install it again.
    if (update.failedInstall) {
        await scope.record('rolledBack', release);
        return 'noData';
    }
    await scope.record('available', release, { bytes: update.packageSize });
    await scope.record('downloadStarted', release);
    try {
        const start = Date.now();
        const local = await update.download();
        await scope.record('downloadCompleted', release, { bytes: update.packageSize, durationMs: Math.max(0, Date.now() - start) });
        await local.install(installMode);
    }
    catch (problem) {
        await scope.record('failed', release, { reason: String(problem) });
        return 'failed';
    }
    await scope.record('ready', release);
    return 'newData';
}
exports.codePushUpdate = codePushUpdate;
