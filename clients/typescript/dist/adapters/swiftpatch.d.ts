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
 * `SwiftPatch.addListener(swiftpatchListener(uptake))`. What names no release, as a rollback may, is about the last that was named since the
 * app started; where none was, it is a failure of no release.
 */
export declare function swiftpatchListener(uptake: Uptake): (event: SwiftpatchEvent) => void;
