"use strict";
// Tells Uptake what becomes of over-the-air updates: React Native, Capacitor, Node. No dependency.
//
// An event has its id and its time when it happens, lies on disk before anything is sent, and is removed once Uptake has
// answered for it. What a resend repeats is recognised by its id. The rules are clients/cases.json, for all languages.
Object.defineProperty(exports, "__esModule", { value: true });
exports.Uptake = exports.Scope = exports.within = exports.cut = exports.clean = exports.linesOf = exports.armOf = exports.bucketOf = exports.arrivalOrTap = exports.pause = exports.eventsAddress = exports.cause = exports.judge = void 0;
function judge(status, body, count) {
    const number = (name) => Number(new RegExp(`"${name}"\\s*:\\s*(\\d+)`).exec(body)?.[1] ?? 0);
    const isOurs = status === 400 || (status >= 200 && status < 300);
    const rejected = number('rejected');
    const answered = number('accepted') + number('duplicate') + rejected;
    if (isOurs && answered > 0) {
        return { remove: Math.min(answered, count), refused: Math.min(rejected, count), next: 'go' };
    }
    if (status === 413 || (status === 400 && typeof errorOf(body).code === 'string')) {
        return count > 1 ? { remove: 0, refused: 0, next: 'halve' } : { remove: 1, refused: 1, next: 'go' };
    }
    if (status < 400 || status >= 500 || [408, 425, 429].includes(status))
        return { remove: 0, refused: 0, next: 'retry' };
    // These are about the key or the address. Others, such as a firewall's, may be about one event.
    return { remove: 0, refused: 0, next: [401, 404, 405, 407].includes(status) ? 'rest' : 'apart' };
}
exports.judge = judge;
/** What the service says is wrong; nothing where something in between answered. */
function errorOf(body) {
    try {
        return JSON.parse(body).error ?? {};
    }
    catch {
        return {};
    }
}
/** Why events wait: the service's own words where it has some. */
function cause(status, body) {
    if (status === 0)
        return body;
    const said = errorOf(body).message;
    return typeof said === 'string' ? `status ${status}: ${said}` : `status ${status}`;
}
exports.cause = cause;
/** Where events are posted, however much of it `url` says already. */
function eventsAddress(url) {
    return url.replace(/(\/+v1(\/+events)?)?\/*$/, '') + '/v1/events';
}
exports.eventsAddress = eventsAddress;
const HOUR = 3600000;
const Y2000 = 946684800000;
/** Milliseconds until the next attempt; `random` is from 0 up to 1. */
function pause(next, failures, random, retryAfter, base) {
    const full = next !== 'retry' ? HOUR : Math.min(HOUR, base * 2 ** Math.min(failures - 1, 30));
    const seconds = /^\d{1,9}$/.test(retryAfter ?? '') ? Math.min(Number(retryAfter), 86400) : 0;
    return Math.floor((seconds > 0 ? seconds * 1000 : full / 2) + random * full / 2);
}
exports.pause = pause;
/** Whether a push arrived (`silentPush`) or came with a tap or in use (`foreground`). */
function arrivalOrTap(state, isStarting) {
    switch (state) {
        case 'background': return 'silentPush';
        case 'active': return 'foreground';
        case 'inactive':
        case 'notRunning': return isStarting ? 'foreground' : 'silentPush';
    }
}
exports.arrivalOrTap = arrivalOrTap;
/** A number from 0 to 9999 that a device keeps throughout an experiment: FNV-1a of `name:device`, mixed as in MurmurHash3. */
function bucketOf(device, experiment) {
    let hash = 0x811c9dc5;
    for (const character of unescape(encodeURIComponent(`${experiment}:${device}`))) {
        hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return ((hash ^ (hash >>> 16)) >>> 0) % 10000;
}
exports.bucketOf = bucketOf;
function armOf(device, experiment) {
    const bucket = bucketOf(device, experiment.name);
    let end = 0;
    return experiment.arms.find(([, percent]) => bucket < (end += Math.round(percent * 100)))?.[0];
}
exports.armOf = armOf;
/** What of a stored text are whole lines; a torn end and what is no event are left out. */
function linesOf(text) {
    return text.slice(0, text.lastIndexOf('\n') + 1).split('\n').filter((line) => /^\{[^\0]*\}$/.test(line));
}
exports.linesOf = linesOf;
/** Without U+0000 and halves of characters, which are refused. */
function clean(text) {
    return text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]|\0/g, (found) => found.length === 2 ? found : found === '\0' ? '' : '\ufffd');
}
exports.clean = clean;
/** At most so many bytes of UTF-8, in whole characters. */
function cut(text, limit) {
    let end = Math.min(text.length, limit);
    while (/[\udc00-\udfff]/.test(text[end] ?? '') || unescape(encodeURIComponent(text.slice(0, end))).length > limit)
        end -= 1;
    return text.slice(0, end);
}
exports.cut = cut;
/** Bytes of the texts that describe. Of a reason the service keeps as many; with another that is longer it refuses the event. */
const LONGEST = { reason: 256, osVersion: 64, sdkVersion: 64, network: 64, deviceModel: 64, region: 32 };
/** A value as the service takes it: numbers are whole and not negative. */
function fit(name, value) {
    if (typeof value === 'number')
        return Math.max(0, Math.round(value));
    if (typeof value !== 'string')
        return value;
    return name in LONGEST ? cut(clean(value), LONGEST[name]) : clean(value);
}
function randomID() {
    const bytes = new Uint8Array(16);
    if (typeof crypto === 'object')
        crypto.getRandomValues(bytes);
    else
        bytes.forEach((_, index) => { bytes[index] = Math.random() * 256; });
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
/** What comes of `work`, or `late` where it takes longer than `limit` milliseconds. */
function within(limit, work, late) {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, limit, late);
        work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
}
exports.within = within;
/** One reason for the app to run: all that is recorded in it has its trigger. */
class Scope {
    constructor(uptake, trigger, push) {
        this.uptake = uptake;
        this.trigger = trigger;
        this.push = push;
        this.stages = new Set();
    }
    /** Fulfilled once the event is on disk, or cannot be written, as when it is full: never rejected. */
    record(stage, release, details = {}) {
        this.stages.add(stage);
        return this.uptake.record(stage, this.trigger, release, { push: this.push, ...details });
    }
    /** What a wake-up came to that does not say it itself. */
    get outcome() {
        if (this.stages.has('failed'))
            return 'failed';
        return ['downloadCompleted', 'verified', 'ready', 'applied'].some((stage) => this.stages.has(stage)) ? 'newData' : 'noData';
    }
}
exports.Scope = Scope;
/** What was kept; nothing where it is no state, as after a loss of power. */
function stateOf(kept) {
    try {
        const state = JSON.parse(kept);
        return typeof state.device === 'string' ? state : {};
    }
    catch {
        return {};
    }
}
class Uptake {
    constructor(options, state) {
        this.options = options;
        this.state = state;
        this.lines = [];
        this.removed = 0;
        this.limit = 100;
        this.isTorn = false;
        this.isClosed = false;
        this.due = 0;
        this.work = Promise.resolve();
        this.sending = Promise.resolve();
        this.scopes = [];
    }
    /** One for a storage: two at once would remove each other's events. Rejected where the storage cannot be read. */
    static async open(options) {
        const kept = await options.storage.read('state');
        const state = stateOf(kept ?? '');
        const uptake = new Uptake(options, { device: options.device ?? randomID(), dropped: 0, refused: 0, failures: 0, notBefore: 0, ...state });
        if (kept !== null && state.device === undefined)
            uptake.report('storage: the state is broken; this counts as a new device');
        uptake.arm = options.experiment && armOf(uptake.device, options.experiment);
        // Nobody has asked to wait where the address or the key is another, as after a wrong one.
        const target = bucketOf(options.key ?? '', options.url);
        if (state.target !== target) {
            Object.assign(uptake.state, { target, failures: 0, notBefore: 0 });
            await uptake.inTurn(() => uptake.save());
        }
        await uptake.load();
        uptake.schedule(options.delay ?? 1000);
        return uptake;
    }
    /** A random id of this installation, made at its first start. */
    get device() { return this.state.device; }
    get status() {
        const { dropped, refused, failures, notBefore } = this.state;
        return { queued: this.lines.length, dropped, refused, failures, notBefore };
    }
    /** The scope that was begun last and goes on; for callbacks that do not know theirs. */
    get current() { return this.scopes[this.scopes.length - 1] ?? new Scope(this, 'unknown'); }
    // MARK: entry points
    /** At each start: what the app runs, nil for the build from the store. The first start of another release is its `applied`. */
    async started(running, scope = this.current) {
        const release = running ?? `store:${this.options.appVersion}`;
        const before = this.state.running;
        if (running !== null && before !== undefined && before !== release)
            await scope.record('applied', release, { from: before });
        await scope.record('check', release);
        this.state.running = release;
        await this.inTurn(() => this.save());
    }
    /** A push came. Where it woke the app the work is a wake-up, else it is the user's. */
    async silentPush(push, work) {
        const { id, release, appState, appIsStarting } = push;
        const scope = new Scope(this, arrivalOrTap(appState, appIsStarting), id);
        await scope.record('pushReceived', release, { appState, appIsStarting });
        return await (scope.trigger === 'silentPush' ? this.wakeUp(scope, work) : this.outcome(scope, work));
    }
    backgroundRefresh(work) {
        return this.wakeUp(new Scope(this, 'bgRefresh'), work);
    }
    location(work) {
        return this.wakeUp(new Scope(this, 'location'), work);
    }
    async foreground(work) {
        const scope = this.beginForeground();
        try {
            return await work(scope);
        }
        finally {
            this.end(scope);
        }
    }
    /** For as long as the app is on screen: `current` is of the user's doing until `end`. */
    beginForeground() {
        const scope = new Scope(this, 'foreground');
        this.scopes.push(scope);
        this.schedule(this.options.delay ?? 1000);
        return scope;
    }
    /** Sends what waits, as the system may soon suspend the app. */
    end(scope) {
        this.leave(scope);
        void this.flush();
    }
    /**
     * For good, as where consent ends: once fulfilled nothing is written or sent any more, whatever is called. To `forget` removes what is
     * kept, too: the next `open` is a new device. What cannot be removed is told; call it again.
     */
    close({ forget = false } = {}) {
        return this.inTurn(async () => {
            this.isClosed = true;
            this.lines = [];
            clearTimeout(this.timer);
            this.request?.abort();
            if (forget)
                await this.options.storage.clear();
        });
    }
    leave(scope) { this.scopes = this.scopes.filter((other) => other !== scope); }
    async outcome(scope, work) {
        this.scopes.push(scope);
        try {
            return await work(scope) ?? scope.outcome;
        }
        catch (problem) {
            this.report(`the work of a wake-up failed: ${problem}`);
            return 'failed';
        }
        finally {
            this.leave(scope);
        }
    }
    async wakeUp(scope, work) {
        const start = Date.now();
        await scope.record('wakeStarted', this.state.running);
        const outcome = await within(this.options.budget ?? 25000, this.outcome(scope, work), 'expired');
        this.leave(scope);
        await scope.record('wakeFinished', undefined, { outcome, durationMs: Math.max(0, Date.now() - start) });
        await within(4000, this.flush(), undefined);
        return outcome;
    }
    // MARK: the queue
    record(stage, trigger, release, details = {}) {
        const { app, channel, platform, osVersion, appVersion, sdkVersion, emulator, deviceModel, region, tags } = this.options;
        const now = Date.now();
        // A clock that was never set says nothing: the time of receipt stands in.
        const event = {
            id: randomID(), at: now < Y2000 ? undefined : now, device: this.device, stage, trigger, release, app, channel, platform,
            osVersion, appVersion, sdkVersion, emulator, deviceModel, region, tags, arm: this.arm, ...details
        };
        const line = JSON.stringify(event, fit);
        return this.inTurn(() => this.keep(line));
    }
    /** Sends what is due; fulfilled when nothing is, or when sending has to wait. */
    flush() {
        this.sending = this.sending.then(() => this.inTurn(async () => { })).then(() => this.send());
        return this.sending;
    }
    inTurn(job) {
        this.work = this.work.then(job).catch((problem) => this.report(`storage: ${problem}`));
        return this.work;
    }
    async keep(line) {
        if (this.isClosed)
            return;
        this.lines.push(line);
        this.schedule(this.options.delay ?? 1000);
        const capacity = this.options.capacity ?? 1000;
        if (this.lines.length > capacity)
            return await this.drop(Math.max(1, Math.floor(capacity / 10)));
        // Behind what a full disk has torn this line would be lost with it.
        if (this.isTorn)
            return await this.remove(0);
        this.isTorn = true;
        await this.options.storage.append('queue', line + '\n');
        this.isTorn = false;
    }
    async drop(count) {
        this.state.dropped += count;
        this.report(`${count} of ${this.lines.length} events that wait were dropped, the oldest`);
        await this.remove(count);
        await this.save();
    }
    async load() {
        const kept = await this.options.storage.read('queue');
        this.lines = linesOf(kept ?? '');
        if (kept !== this.text)
            await this.inTurn(() => this.remove(0));
    }
    get text() { return this.lines.map((line) => line + '\n').join(''); }
    async remove(count) {
        this.lines.splice(0, count);
        this.removed += count;
        this.isTorn = true;
        await this.options.storage.write('queue', this.text);
        this.isTorn = false;
    }
    async save() {
        if (!this.isClosed)
            await this.options.storage.write('state', JSON.stringify(this.state));
    }
    // MARK: sending
    /** A time far ahead was written by a clock that has been set since. */
    get wait() {
        const wait = this.state.notBefore - Date.now();
        return wait > 25 * HOUR ? 0 : Math.max(0, wait);
    }
    async send() {
        while (this.lines.length > 0 && this.wait === 0) {
            const batch = this.lines.slice(0, this.limit);
            const first = this.removed;
            const answer = await this.post(`{"sentAt":${Date.now()},"events":[${batch.join(',')}]}`);
            const verdict = judge(answer.status, answer.body, batch.length);
            await this.inTurn(() => this.settle(verdict, first, batch.length, answer));
        }
        if (this.lines.length > 0)
            this.schedule(0);
    }
    /** Puts one that was refused alone behind the others; answers whether it is to be dropped instead. */
    async turn(line) {
        // The spaces at its start say how often others got through before it came back.
        const isOdd = this.state.failures === 0;
        if (isOdd && line.startsWith('{  '))
            return true;
        this.lines.push(isOdd ? '{ ' + line.slice(1) : line);
        await this.remove(1);
        return false;
    }
    async settle(verdict, first, count, answer) {
        if (this.isClosed)
            return;
        if (verdict.next === 'apart' && count > 1) {
            this.limit = Math.ceil(count / 2);
            return;
        }
        if (verdict.next === 'apart' && first === this.removed && await this.turn(this.lines[0]))
            verdict = { remove: 1, refused: 1, next: 'go' };
        const { next, refused } = verdict;
        if (refused > 0)
            this.report(`${refused} of ${count} events were refused (${answer.status}): ${answer.body.slice(0, 500)}`);
        this.state.refused += refused;
        if (next === 'retry' || next === 'rest' || next === 'apart') {
            this.state.failures += 1;
            const wait = pause(next, this.state.failures, Math.random(), answer.retryAfter, this.options.retryBase ?? 5000);
            this.state.notBefore = Date.now() + wait;
            this.report(`${this.lines.length} events wait ${Math.ceil(wait / 1000)} s after ${cause(answer.status, answer.body)}`);
            return await this.save();
        }
        this.limit = next === 'halve' ? Math.ceil(count / 2) : Math.min(100, this.limit * 2);
        const hadFailed = this.state.failures > 0;
        this.state.failures = 0;
        const gone = Math.max(0, first + verdict.remove - this.removed);
        if (gone > 0)
            await this.remove(gone);
        if (hadFailed || refused > 0)
            await this.save();
    }
    async post(body) {
        const control = this.request = new AbortController();
        const timer = setTimeout(() => control.abort(), 10000);
        const key = this.options.key ? { 'X-Uptake-Key': this.options.key } : {};
        try {
            const answer = await fetch(eventsAddress(this.options.url), {
                method: 'POST', body, headers: { 'Content-Type': 'application/json', ...key }, signal: control.signal,
                // What a network puts in between is told neither the events nor the key.
                redirect: 'error'
            });
            return { status: answer.status, body: await answer.text(), retryAfter: answer.headers.get('Retry-After') };
        }
        catch (problem) {
            // Node says only "fetch failed", and keeps why apart.
            const why = problem.cause ?? problem;
            return { status: 0, body: `no answer from ${eventsAddress(this.options.url)}: ${why}`, retryAfter: null };
        }
        finally {
            clearTimeout(timer);
        }
    }
    /** Timers stand still while a device sleeps: one whose time has passed by the clock is not waited for. */
    schedule(after) {
        if (this.isClosed)
            return;
        const now = Date.now(), due = now + Math.max(after, this.wait);
        if (this.due >= now && this.due <= due)
            return;
        this.due = due;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => { this.due = 0; void this.flush(); }, due - now);
        this.timer.unref?.();
    }
    report(problem) {
        try {
            this.options.onProblem?.(problem);
        }
        catch { /* The app's own affair; the client goes on. */ }
    }
}
exports.Uptake = Uptake;
