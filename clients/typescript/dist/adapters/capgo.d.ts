import type { Uptake } from '../src/uptake';
declare type Bundle = {
    id: string;
    version: string;
};
declare type Event = {
    bundle: Bundle;
    version: string;
    percent: number;
    status: string;
};
export declare type CapacitorUpdater = {
    current(): Promise<{
        bundle: Bundle;
        native: string;
    }>;
    notifyAppReady(): Promise<unknown>;
    addListener(name: string, listener: (event: Event) => void): Promise<unknown>;
};
/**
 * At each start, in place of `notifyAppReady`; takes what `Uptake.open` answers as it is. Listens before it tells the plugin that the app is
 * ready, and tells it after a second at the latest, and where the client cannot be opened: only then is it rejected.
 */
export declare function capgoStarted(opening: Uptake | Promise<Uptake>, updater: CapacitorUpdater): Promise<void>;
export {};
