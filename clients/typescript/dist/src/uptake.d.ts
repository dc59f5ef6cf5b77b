export declare type Stage = 'check' | 'available' | 'downloadStarted' | 'downloadCompleted' | 'verified' | 'ready' | 'applied' | 'confirmed' | 'dismissed' | 'failed' | 'rolledBack' | 'crashed' | 'wakeStarted' | 'wakeFinished' | 'pushReceived';
export declare type Trigger = 'silentPush' | 'bgRefresh' | 'foreground' | 'location' | 'unknown';
export declare type Outcome = 'newData' | 'noData' | 'failed' | 'expired';
export declare type AppState = 'background' | 'inactive' | 'active' | 'notRunning';
/** Arms with the percentage of devices each; devices beyond their sum are in none. */
export declare type Experiment = {
    name: string;
    arms: [arm: string, percent: number][];
};
export declare type Details = {
    reason?: string;
    from?: string;
    bytes?: number;
    durationMs?: number;
    network?: string;
    push?: string;
    outcome?: Outcome;
    appState?: AppState;
    appIsStarting?: boolean;
};
/** Texts by name that survive the process. Calls come one at a time; one that fails is told, and stops nothing. */
export declare type Storage = {
    read(name: string): Promise<string | null>;
    /** Replaces the text: after a crash it is the old or the new one. */
    write(name: string, text: string): Promise<void>;
    append(name: string, text: string): Promise<void>;
    /** Removes `state` and `queue`. */
    clear(): Promise<void>;
};
export declare type Options = {
    /** Where Uptake is: `https://uptake.example.com`; a slash, `/v1` or `/v1/events` behind it are taken, too. */
    url: string;
    /** An ingest key; it names the app. */
    key?: string;
    /** The app's id; only before the first key is made. */
    app?: string;
    /** The version of the build from the store. */
    appVersion: string;
    platform?: string;
    osVersion?: string;
    sdkVersion?: string;
    channel?: string;
    emulator?: boolean;
    deviceModel?: string;
    /** Where the device is, such as a country. */
    region?: string;
    /** What the app tells its devices apart by, up to eight: `{ plan: 'pro' }`. */
    tags?: Record<string, string>;
    experiment?: Experiment;
    /** The device that another client of this installation made, as in a process of its own; else a random one. */
    device?: string;
    storage: Storage;
    /** What went wrong, for a log. The client goes on by itself. */
    onProblem?: (problem: string) => void;
    /** Events kept at most; the oldest are dropped and counted. 1000. */
    capacity?: number;
    /** Milliseconds from an event to its sending. 1000. */
    delay?: number;
    /** The first back-off in milliseconds. 5000. */
    retryBase?: number;
    /** Milliseconds that the work of a wake-up may take before it counts as expired; the system allows 30 s. 25000. */
    budget?: number;
};
/** What an answer means: how many events leave the queue, how many of them were refused, and what comes next. */
export declare type Verdict = {
    remove: number;
    refused: number;
    next: 'go' | 'halve' | 'apart' | 'retry' | 'rest';
};
export declare function judge(status: number, body: string, count: number): Verdict;
/** Why events wait: the service's own words where it has some. */
export declare function cause(status: number, body: string): string;
/** Where events are posted, however much of it `url` says already. */
export declare function eventsAddress(url: string): string;
/** Milliseconds until the next attempt; `random` is from 0 up to 1. */
export declare function pause(next: 'retry' | 'rest' | 'apart', failures: number, random: number, retryAfter: string | null, base: number): number;
/** Whether a push arrived (`silentPush`) or came with a tap or in use (`foreground`). */
export declare function arrivalOrTap(state: AppState, isStarting: boolean): Trigger;
/** A number from 0 to 9999 that a device keeps throughout an experiment: FNV-1a of `name:device`, mixed as in MurmurHash3. */
export declare function bucketOf(device: string, experiment: string): number;
export declare function armOf(device: string, experiment: Experiment): string | undefined;
/** What of a stored text are whole lines; a torn end and what is no event are left out. */
export declare function linesOf(text: string): string[];
/** Without U+0000 and halves of characters, which are refused. */
export declare function clean(text: string): string;
/** At most so many bytes of UTF-8, in whole characters. */
export declare function cut(text: string, limit: number): string;
/** What comes of `work`, or `late` where it takes longer than `limit` milliseconds. */
export declare function within<Result>(limit: number, work: Promise<Result>, late: Result): Promise<Result>;
/** One reason for the app to run: all that is recorded in it has its trigger. */
export declare class Scope {
    private uptake;
    readonly trigger: Trigger;
    readonly push?: string | undefined;
    private stages;
    constructor(uptake: Uptake, trigger: Trigger, push?: string | undefined);
    /** Fulfilled once the event is on disk, or cannot be written, as when it is full: never rejected. */
    record(stage: Stage, release?: string, details?: Details): Promise<void>;
    /** What a wake-up came to that does not say it itself. */
    get outcome(): Outcome;
}
export declare class Uptake {
    private options;
    private state;
    private lines;
    private removed;
    private limit;
    private isTorn;
    private isClosed;
    private due;
    private timer?;
    private request?;
    private work;
    private sending;
    private scopes;
    private arm?;
    private constructor();
    /** One for a storage: two at once would remove each other's events. Rejected where the storage cannot be read. */
    static open(options: Options): Promise<Uptake>;
    /** A random id of this installation, made at its first start. */
    get device(): string;
    get status(): {
        queued: number;
        dropped: number;
        refused: number;
        failures: number;
        notBefore: number;
    };
    /** The scope that was begun last and goes on; for callbacks that do not know theirs. */
    get current(): Scope;
    /** At each start: what the app runs, nil for the build from the store. The first start of another release is its `applied`. */
    started(running: string | null, scope?: Scope): Promise<void>;
    /** A push came. Where it woke the app the work is a wake-up, else it is the user's. */
    silentPush(push: {
        id?: string;
        release?: string;
        appState: AppState;
        appIsStarting: boolean;
    }, work: (scope: Scope) => Promise<Outcome | void>): Promise<Outcome>;
    backgroundRefresh(work: (scope: Scope) => Promise<Outcome | void>): Promise<Outcome>;
    location(work: (scope: Scope) => Promise<Outcome | void>): Promise<Outcome>;
    foreground<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result>;
    /** For as long as the app is on screen: `current` is of the user's doing until `end`. */
    beginForeground(): Scope;
    /** Sends what waits, as the system may soon suspend the app. */
    end(scope: Scope): void;
    /**
     * For good, as where consent ends: once fulfilled nothing is written or sent any more, whatever is called. To `forget` removes what is
     * kept, too: the next `open` is a new device. What cannot be removed is told; call it again.
     */
    close({ forget }?: {
        forget?: boolean | undefined;
    }): Promise<void>;
    private leave;
    private outcome;
    private wakeUp;
    record(stage: Stage, trigger: Trigger, release?: string, details?: Details): Promise<void>;
    /** Sends what is due; fulfilled when nothing is, or when sending has to wait. */
    flush(): Promise<void>;
    private inTurn;
    private keep;
    private drop;
    private load;
    private get text();
    private remove;
    private save;
    /** A time far ahead was written by a clock that has been set since. */
    private get wait();
    private send;
    /** Puts one that was refused alone behind the others; answers whether it is to be dropped instead. */
    private turn;
    private settle;
    private post;
    /** Timers stand still while a device sleeps: one whose time has passed by the clock is not waited for. */
    private schedule;
    private report;
}
