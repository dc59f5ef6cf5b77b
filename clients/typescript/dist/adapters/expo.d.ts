import type { Outcome, Scope, Uptake } from '../src/uptake';
declare type Manifest = {
    id?: string;
};
export declare type Updates = {
    updateId: string | null;
    isEmbeddedLaunch: boolean;
    checkForUpdateAsync(): Promise<{
        isAvailable: boolean;
        manifest?: Manifest;
    }>;
    fetchUpdateAsync(): Promise<{
        isNew: boolean;
    }>;
};
/** What `useUpdates()` answers, as far as it is needed here. */
export declare type UpdatesState = {
    isDownloading: boolean;
    availableUpdate?: {
        updateId?: string;
    };
    downloadedUpdate?: {
        updateId?: string;
    };
    downloadError?: Error;
};
/** At each start: `import * as Updates from 'expo-updates'`, then `expoStarted(uptake, Updates)`. */
export declare function expoStarted(uptake: Uptake, updates: Updates): Promise<void>;
/** Checks and downloads; the update runs at the next start. For background tasks and buttons. */
export declare function expoUpdate(scope: Scope, updates: Updates): Promise<Outcome>;
/** For the updates that Expo loads by itself at a start: give it every state of `useUpdates()`, in an effect. */
export declare function expoObserver(uptake: Uptake): (state: UpdatesState) => void;
export {};
