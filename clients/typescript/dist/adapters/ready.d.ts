/**
 * Tells an updater that the app is ready once `begun` has come to an end, however it does, or takes too long, as with a store that hangs:
 * the updater takes a good update back that it hears nothing of.
 */
export declare function readyAfter(begun: Promise<unknown>, tell: () => Promise<unknown>): Promise<void>;
