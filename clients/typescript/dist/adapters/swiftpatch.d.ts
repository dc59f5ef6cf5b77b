import type { Uptake } from '../src/uptake';
export declare type SwiftpatchEvent = {
    type?: string;
    eventType?: string;
    releaseHash?: string;
    hash?: string;
    update?: {
        hash?: string;
        id?: string;
    };
    errorMessage?: string;
    reason?: string;
    error?: {
        code?: string;
    };
};
/**
 * `SwiftPatch.addListener(swiftpatchListener(uptake))`. What names no release is about what is known since the app started: a rollback about
 * the one that was installed last, an error about the one that is being fetched, as the service has it. Where none is known, it is a
 * failure of no release.
 */
export declare function swiftpatchListener(uptake: Uptake): (event: SwiftpatchEvent) => void;
