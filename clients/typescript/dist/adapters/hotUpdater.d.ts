import type { Outcome, Scope, Uptake } from '../src/uptake';
export declare type HotUpdater = {
    getBundleId(): string;
    getMinBundleId(): string;
};
/** What `resolver.notifyAppReady` is given: `type` since `next`, `status` before. */
export declare type AppReady = {
    type?: 'UPDATE_APPLIED' | 'RECOVERED' | 'UNCHANGED' | 'RELEASE_ADOPTED';
    fromBundleId?: string | null;
    toBundleId?: string;
    status?: 'STABLE' | 'RECOVERED';
    crashedBundleId?: string;
};
export declare type Update = {
    id: string;
    status: 'UPDATE' | 'ROLLBACK';
    updateBundle(): Promise<boolean>;
};
/** At each start. */
export declare function hotUpdaterStarted(uptake: Uptake, updater: HotUpdater): Promise<void>;
/** In the resolver: `notifyAppReady: (ready) => hotUpdaterReady(uptake, ready)`. It takes the place of the report to the server. */
export declare function hotUpdaterReady(uptake: Uptake, ready: AppReady): Promise<void>;
/** What `HotUpdater.checkForUpdate` found, installed for the next start. */
export declare function hotUpdaterUpdate(scope: Scope, update: Update | null): Promise<Outcome>;
