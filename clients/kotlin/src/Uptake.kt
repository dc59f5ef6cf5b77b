package uptake

import java.io.File
import java.net.HttpURLConnection
import java.net.URL
import java.util.Properties
import java.util.UUID
import java.util.concurrent.Callable
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executors
import java.util.concurrent.Future
import java.util.concurrent.TimeUnit

class Options(
    /** Where Uptake is: `https://uptake.example.com`; a slash, `/v1` or `/v1/events` behind it are taken, too. */
    val url: String,
    /** A folder for this client alone; on Android below `noBackupFilesDir`, as a phone set up from a backup is another device. */
    val folder: File,
    /** The version of the build from the store. */
    val appVersion: String,
    /** An ingest key; it names the app. */
    val key: String? = null,
    /** The app's id; only before the first key is made. */
    val app: String? = null,
    val platform: String? = null, val osVersion: String? = null,
    val sdkVersion: String? = null, val channel: String? = null,
    val emulator: Boolean? = null, val experiment: Experiment? = null,
    /** What went wrong, for a log. The client goes on by itself. */
    val onProblem: (String) -> Unit = {},
    /** Events kept at most; the oldest are dropped and counted. */
    val capacity: Int = 1000,
    /** Milliseconds from an event to its sending. */
    val delay: Long = 1000,
    /** The first back-off in milliseconds. */
    val retryBase: Long = 5000,
    /** Milliseconds that the work of a wake-up may take before it counts as expired. */
    val budget: Long = 25_000,
    /** The device that another client of this installation made, as in a process of its own; null: a random one. */
    val device: String? = null,
    /** The region is where the device is, such as a country. */
    val deviceModel: String? = null, val region: String? = null,
    /** What the app tells its devices apart by, up to eight: `mapOf("plan" to "pro")`. */
    val tags: Map<String, String>? = null
)

data class Status(val queued: Int, val dropped: Int, val refused: Int, val failures: Int)

/**
 * Tells Uptake what becomes of over-the-air updates.
 *
 * An event has its id and its time when it happens, lies on disk before anything is sent, and is removed once Uptake has
 * answered for it. What a resend repeats is recognised by its id. The rules are clients/cases.json, for all languages.
 *
 * One for a folder and process: two at once would remove each other's events. Made off the main thread; throws where the
 * folder cannot be read.
 * What varies is touched on `disk` alone; requests wait on `net`.
 */
class Uptake(private val options: Options) {
    private val folder = Folder(options.folder)
    private val disk = Executors.newSingleThreadScheduledExecutor { Thread(it, "uptake-disk").apply { isDaemon = true } }
    private val net = Executors.newSingleThreadExecutor { Thread(it, "uptake-net").apply { isDaemon = true } }
    private val state = Properties()
    private val lines = ArrayList<String>()
    private val scopes = CopyOnWriteArrayList<Scope>()
    private var removed = 0
    private var limit = 100
    private var timer = 0L
    private var isTorn = false
    @Volatile private var isClosed = false
    @Volatile private var request: HttpURLConnection? = null
    private var alarm: Future<*>? = null

    /** A random id of this installation, made at its first start. */
    val device: String
    private val arm: String?

    init {
        folder.read("state")?.let { load(it) }
        device = state.getProperty("device") ?: (options.device ?: randomID()).also { state.setProperty("device", it) }
        arm = options.experiment?.armOf(device)
        val queued = folder.read("queue")
        lines.addAll(linesOf(queued ?: ""))
        // Nobody has asked to wait where the address or the key is another, as after a wrong one.
        val target = "${Experiment(options.url, emptyList()).bucketOf(options.key ?: "")}"
        disk.submit {
            if (state.getProperty("target") != target) {
                state.putAll(mapOf("target" to target, "failures" to "0", "notBefore" to "0"))
                save()
            }
            if (queued != text) remove(0)
            if (lines.isNotEmpty()) schedule(options.delay)
        }.get()
    }

    /** What is no state, as after a loss of power, is that of a new device. */
    private fun load(kept: String) {
        runCatching { state.load(kept.reader()) }
        if (state.getProperty("device") != null) return
        state.clear()
        tell("storage: the state is broken; this counts as a new device")
    }

    val status: Future<Status>
        get() = disk.submit(Callable { Status(lines.size, number("dropped").toInt(), number("refused").toInt(), number("failures").toInt()) })

    /** The scope that was begun last and goes on; for callbacks that do not know theirs. */
    val current: Scope get() = scopes.lastOrNull() ?: Scope(this, Trigger.unknown)

    // entry points

    /** At each start: what the app runs, null for the build from the store. The first start of another release is its `applied`. */
    @JvmOverloads
    fun started(running: String?, scope: Scope = current): Future<*> {
        val release = running ?: "store:${options.appVersion}"
        val applied = Event(Stage.applied, scope.trigger, release, Details(from = ""), null)
        val check = Event(Stage.check, scope.trigger, release, Details(), null)
        return disk.submit {
            val before = state.getProperty("running")
            if (running != null && before != null && before != release) keep(applied.line(before))
            keep(check.line(null))
            state.setProperty("running", release)
            save()
        }
    }

    /** A push came. Where it woke the app the work is a wake-up, else it is the user's. Not for the main thread. */
    @JvmOverloads
    fun silentPush(
        id: String? = null, release: String? = null, appState: AppState = AppState.background, appIsStarting: Boolean = false,
        work: (Scope) -> Outcome?
    ): Outcome {
        val scope = Scope(this, arrivalOrTap(appState, appIsStarting), id)
        scope.record(Stage.pushReceived, release, Details(appState = appState, appIsStarting = appIsStarting))
        return if (scope.trigger == Trigger.silentPush) wakeUp(scope, work) else outcome(scope.also { scopes.add(it) }, work)
    }

    /** Not for the main thread, and neither is [location]: they return when the work has ended. */
    fun backgroundRefresh(work: (Scope) -> Outcome?): Outcome = backgroundRefresh(options.budget, work)

    /** With a budget of its own: the system allows a worker ten minutes. */
    fun backgroundRefresh(budget: Long, work: (Scope) -> Outcome?): Outcome = wakeUp(Scope(this, Trigger.bgRefresh), work, budget)

    fun location(work: (Scope) -> Outcome?): Outcome = wakeUp(Scope(this, Trigger.location), work)

    fun <Result> foreground(work: (Scope) -> Result): Result {
        val scope = beginForeground()
        try { return work(scope) } finally { end(scope) }
    }

    /** For as long as the app is on screen: [current] is of the user's doing until [end]. */
    fun beginForeground(): Scope = Scope(this, Trigger.foreground).also {
        scopes.add(it)
        disk.submit { schedule(options.delay) }
    }

    /** Sends what waits, as the system may soon end the app. */
    fun end(scope: Scope) {
        scopes.remove(scope)
        flush()
    }

    /**
     * For good, as where consent ends: once its `Future` is done nothing is written or sent any more, whatever is called. To [forget]
     * removes what is kept, too: the next client is a new device. What cannot be removed is told; call it again.
     */
    fun close(forget: Boolean = false): Future<*> = disk.submit {
        isClosed = true
        lines.clear()
        alarm?.cancel(false)
        request?.disconnect()
        if (forget) attempt { folder.clear() }
        // Done behind a request that is under way.
    }.let { closed -> net.submit { closed.get() } }

    private fun outcome(scope: Scope, work: (Scope) -> Outcome?): Outcome = try {
        work(scope) ?: scope.outcome
    } catch (problem: Throwable) {
        Outcome.failed.also { tell("the work of a wake-up failed: $problem") }
    } finally { scopes.removeAll(listOf(scope)) }

    private fun wakeUp(scope: Scope, work: (Scope) -> Outcome?, budget: Long = options.budget): Outcome {
        val start = System.nanoTime()
        val running = disk.submit(Callable { state.getProperty("running") }).get()
        scope.record(Stage.wakeStarted, running).get()
        val outcome = withinBudget(budget, scope, work)
        scope.record(Stage.wakeFinished, null, Details(outcome = outcome, durationMs = (System.nanoTime() - start) / 1_000_000))
        // What is left then is sent at the next start.
        runCatching { flush().get(4, TimeUnit.SECONDS) }
        return outcome
    }

    /** A worker that the system stops is interrupted: its time is over, too. */
    private fun withinBudget(budget: Long, scope: Scope, work: (Scope) -> Outcome?): Outcome {
        val done = CompletableFuture<Outcome>()
        val thread = Thread({ done.complete(outcome(scope, work)) }, "uptake-work").apply { isDaemon = true }
        scopes.add(scope)
        thread.start()
        return try {
            done.get(budget, TimeUnit.MILLISECONDS)
        } catch (late: Exception) {
            scopes.removeAll(listOf(scope))
            thread.interrupt()
            Outcome.expired
        }
    }

    // the queue

    /** What happened, with the time and the id of this moment. */
    private inner class Event(
        val stage: Stage, val trigger: Trigger, val release: String?, val details: Details, val push: String?,
        val id: String = randomID(), val at: Long = System.currentTimeMillis()
    ) {
        // A clock that was never set says nothing: the time of receipt stands in.
        fun line(from: String?): String = json(listOf(
            "id" to id, "at" to at.takeIf { it >= 946_684_800_000 }, "device" to device, "stage" to stage, "trigger" to trigger,
            "release" to release, "app" to options.app, "channel" to options.channel, "platform" to options.platform,
            "osVersion" to options.osVersion, "appVersion" to options.appVersion, "sdkVersion" to options.sdkVersion,
            "emulator" to options.emulator, "deviceModel" to options.deviceModel, "region" to options.region, "tags" to options.tags,
            "arm" to arm, "reason" to details.reason, "from" to from,
            "bytes" to details.bytes?.coerceAtLeast(0), "durationMs" to details.durationMs?.coerceAtLeast(0),
            "network" to details.network, "push" to push, "outcome" to details.outcome, "appState" to details.appState,
            "appIsStarting" to details.appIsStarting
        ))
    }

    internal fun record(stage: Stage, trigger: Trigger, release: String?, details: Details, push: String?): Future<*> {
        val line = Event(stage, trigger, release, details, push).line(details.from)
        return disk.submit { keep(line) }
    }

    private fun keep(line: String) {
        if (isClosed) return
        lines.add(line)
        schedule(options.delay)
        // Behind what a full disk has torn this line would be lost with it.
        if (lines.size <= options.capacity && isTorn) return remove(0)
        if (lines.size <= options.capacity) return append(line)
        val dropped = maxOf(1, options.capacity / 10)
        add("dropped", dropped.toLong())
        tell("$dropped of ${lines.size} events that wait were dropped, the oldest")
        remove(dropped)
        save()
    }

    private fun append(line: String) {
        isTorn = !attempt { folder.append("queue", line + "\n") }
    }

    private val text: String get() = lines.joinToString("") { it + "\n" }

    private fun remove(count: Int) {
        lines.subList(0, count).clear()
        removed += count
        isTorn = !attempt { folder.write("queue", text) }
    }

    private fun number(name: String): Long = state.getProperty(name)?.toLongOrNull() ?: 0

    private fun add(name: String, count: Long) = state.setProperty(name, "${number(name) + count}")

    private fun save() = attempt {
        if (!isClosed) folder.write("state", state.stringPropertyNames().sorted().joinToString("") { "$it=${escaped(state.getProperty(it))}\n" })
    }

    private fun escaped(value: String) = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace(" ", "\\ ")

    /** Whether it was done. */
    private fun attempt(work: () -> Unit): Boolean = runCatching(work).onFailure { tell("storage: $it") }.isSuccess

    /** An app that fails here keeps the client from nothing. */
    private fun tell(problem: String) {
        runCatching { options.onProblem(problem) }
    }

    private fun randomID() = UUID.randomUUID().toString().replace("-", "")

    // sending

    /** Sends what is due; done when nothing is, or when sending has to wait. */
    fun flush(): Future<*> = net.submit {
        while (true) {
            val batch = disk.submit(Callable { due() }).get() ?: break
            val answer = post("{\"sentAt\":${System.currentTimeMillis()},\"events\":[${batch.first.joinToString(",")}]}")
            disk.submit { if (!isClosed) settle(answer, batch.second, batch.first.size) }.get()
        }
    }

    /** The next events and how many were removed before them; null where none are due. */
    private fun due(): Pair<List<String>, Int>? {
        if (lines.isEmpty()) return null
        if (wait == 0L) return Pair(lines.take(limit), removed)
        schedule(0)
        return null
    }

    /** A time far ahead was written by a clock that has been set since. */
    private val wait: Long
        get() = (number("notBefore") - System.currentTimeMillis()).let { if (it > 25 * 3_600_000L) 0 else maxOf(0, it) }

    /** Puts one that was refused alone behind the others; answers whether it is to be dropped instead. */
    private fun turn(line: String): Boolean {
        // The spaces at its start say how often others got through before it came back.
        val isOdd = number("failures") == 0L
        if (isOdd && line.startsWith("{  ")) return true
        lines.add(if (isOdd) "{ " + line.drop(1) else line)
        remove(1)
        return false
    }

    private fun settle(answer: Answer, first: Int, count: Int) {
        val verdict = answer.verdict(count)
        if (verdict.next == Next.apart && count > 1) {
            limit = (count + 1) / 2
            return
        }
        val isLost = verdict.next == Next.apart && first == removed && turn(lines[0])
        val (remove, refused, next) = if (isLost) Verdict(1, 1, Next.go) else verdict
        if (refused > 0) tell("$refused of $count events were refused (${answer.status}): ${answer.body.take(500)}")
        add("refused", refused.toLong())
        if (next == Next.apart || next == Next.retry || next == Next.rest) return rest(answer, next)
        limit = if (next == Next.halve) (count + 1) / 2 else minOf(100, limit * 2)
        val hadFailed = number("failures") > 0
        state.setProperty("failures", "0")
        val gone = maxOf(0, first + remove - removed)
        if (gone > 0) remove(gone)
        if (hadFailed || refused > 0) save()
    }

    private fun rest(answer: Answer, next: Next) {
        add("failures", 1)
        val pause = answer.pause(next, number("failures").toInt(), Math.random(), options.retryBase)
        state.setProperty("notBefore", "${System.currentTimeMillis() + pause}")
        tell("${lines.size} events wait ${(pause + 999) / 1000} s after ${answer.cause}")
        save()
    }

    private fun post(body: String): Answer = try {
        exchange(URL(eventsAddress(options.url)).openConnection() as HttpURLConnection, body)
    } catch (problem: Exception) {
        Answer(0, "no answer from ${eventsAddress(options.url)}: $problem")
    }

    private fun exchange(connection: HttpURLConnection, body: String): Answer {
        try {
            request = connection
            if (isClosed) throw java.io.IOException("closed")
            connection.connectTimeout = 10_000
            connection.readTimeout = 10_000
            connection.doOutput = true
            connection.instanceFollowRedirects = false
            connection.setRequestProperty("Content-Type", "application/json")
            options.key?.let { connection.setRequestProperty("X-Uptake-Key", it) }
            connection.outputStream.use { it.write(body.toByteArray()) }
            val status = connection.responseCode
            val said = (if (status < 400) connection.inputStream else connection.errorStream)?.use { it.readBytes() } ?: ByteArray(0)
            return Answer(status, String(said), connection.getHeaderField("Retry-After"))
        } finally {
            connection.disconnect()
        }
    }

    /** Timers stand still while a device sleeps: one whose time has passed by the clock is not waited for. */
    private fun schedule(after: Long) {
        val now = System.currentTimeMillis()
        val due = now + maxOf(after, wait)
        if (isClosed || timer in now..due) return
        timer = due
        alarm?.cancel(false)
        alarm = disk.schedule({
            timer = 0
            flush()
        }, due - now, TimeUnit.MILLISECONDS)
    }
}
