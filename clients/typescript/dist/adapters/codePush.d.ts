import type { Outcome, Scope, Uptake } from '../src/uptake';
declare type Package = {
    label: string;
    packageSize: number;
    failedInstall: boolean;
};
declare type LocalPackage = Package & {
    isFirstRun: boolean;
    install(mode?: number): Promise<void>;
};
declare type RemotePackage = Package & {
    download(): Promise<LocalPackage>;
};
export declare type CodePush = {
    checkForUpdate(): Promise<RemotePackage | null>;
    getUpdateMetadata(): Promise<LocalPackage | null>;
    notifyAppReady(): Promise<unknown>;
};
/**
 * At each start, in place of `notifyAppReady`; takes what `Uptake.open` answers as it is. Tells CodePush that the app is ready after a second
 * at the latest, and where the client cannot be opened: only then is it rejected.
 */
export declare function codePushStarted(opening: Uptake | Promise<Uptake>, codePush: CodePush): Promise<void>;
/** Checks, downloads and installs for the next restart, or as `installMode` says. */
export declare function codePushUpdate(scope: Scope, codePush: CodePush, installMode?: number): Promise<Outcome>;
export {};
