"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readyAfter = void 0;
const uptake_1 = require("../src/uptake");
/** Milliseconds that an updater waits at most for what is measured at a start. */
const LIMIT = 1000;
/**
 * Tells an updater that the app is ready once `begun` has come to an end, however it does, or takes too long, as with a store that hangs:
 * the updater takes a good update back that it hears nothing of.
 */
async function readyAfter(begun, tell) {
    await (0, uptake_1.within)(LIMIT, begun.catch(() => { }), undefined);
    await tell();
}
exports.readyAfter = readyAfter;
