package uptake

import java.util.Properties

enum class Stage {
    check, available, downloadStarted, downloadCompleted, verified, ready, applied, confirmed,
    dismissed, failed, rolledBack, crashed, wakeStarted, wakeFinished, pushReceived
}

enum class Trigger { silentPush, bgRefresh, foreground, location, unknown }
enum class Outcome { newData, noData, failed, expired }
enum class AppState { background, inactive, active, notRunning }

/** Arms with the percentage of devices each; devices beyond their sum are in none. */
class Experiment(val name: String, val arms: List<Pair<String, Double>>) {
    fun armOf(device: String): String? {
        val bucket = bucketOf(device)
        var end = 0L
        return arms.firstOrNull { (_, percent) ->
            end += Math.round(percent * 100)
            bucket < end
        }?.first
    }

    /** A number from 0 to 9999 that a device keeps throughout an experiment: FNV-1a of `name:device`, mixed as in MurmurHash3. */
    fun bucketOf(device: String): Int {
        var hash = 0x811c9dc5.toInt()
        for (byte in "$name:$device".toByteArray()) hash = (hash xor (byte.toInt() and 0xff)) * 0x01000193
        hash = (hash xor (hash ushr 16)) * 0x85ebca6b.toInt()
        hash = (hash xor (hash ushr 13)) * 0xc2b2ae35.toInt()
        return Integer.remainderUnsigned(hash xor (hash ushr 16), 10_000)
    }
}

/** Whether a push arrived (`silentPush`) or came with a tap or in use (`foreground`). */
fun arrivalOrTap(state: AppState, isStarting: Boolean): Trigger = when (state) {
    AppState.background -> Trigger.silentPush
    AppState.active -> Trigger.foreground
    AppState.inactive, AppState.notRunning -> if (isStarting) Trigger.foreground else Trigger.silentPush
}

internal enum class Next { go, halve, apart, retry, rest }

/** How many events leave the queue, how many of them were refused, and what comes next. */
internal data class Verdict(val remove: Int, val refused: Int, val next: Next)

/** What came back for a batch; status 0 is no answer. */
internal class Answer(val status: Int, val body: String, val retryAfter: String? = null) {
    private fun number(name: String) =
        Regex("\"$name\"\\s*:\\s*(\\d{1,9})").find(body)?.groupValues?.get(1)?.toInt() ?: 0

    fun verdict(count: Int): Verdict {
        val answered = number("accepted") + number("duplicate") + number("rejected")
        if (answered > 0 && (status in 200..299 || status == 400)) {
            return Verdict(minOf(answered, count), minOf(number("rejected"), count), Next.go)
        }
        // The service's own: what stands in between may say `error`, too.
        val isAboutAll = status == 400 && Regex("\"error\"\\s*:\\s*\\{\\s*\"code\"\\s*:\\s*\"").containsMatchIn(body)
        if (status == 413 || isAboutAll) {
            return if (count > 1) Verdict(0, 0, Next.halve) else Verdict(1, 1, Next.go)
        }
        if (status !in 400..499 || status in setOf(408, 425, 429)) return Verdict(0, 0, Next.retry)
        // These are about the key or the address. Others, such as a firewall's, may be about one event.
        return Verdict(0, 0, if (status in setOf(401, 404, 405, 407)) Next.rest else Next.apart)
    }

    /** Why events wait: the service's own words where it has some. */
    val cause: String
        get() {
            val said = Regex("\"error\"\\s*:\\s*\\{[^{}]*?\"message\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"").find(body)?.groupValues?.get(1)
            // Properties know the escapes of JSON.
            val message = said?.let { Properties().apply { load("m=$it".reader()) }.getProperty("m") }
            return if (status == 0) body else if (message == null) "status $status" else "status $status: $message"
        }

    /** Milliseconds until the next attempt; [random] is from 0 up to 1. */
    fun pause(next: Next, failures: Int, random: Double, base: Long): Long {
        val hour = 3_600_000.0
        val full = if (next != Next.retry) hour else minOf(hour, base * Math.pow(2.0, minOf(failures - 1, 30).toDouble()))
        val said = retryAfter?.takeIf { Regex("[0-9]{1,9}").matches(it) }?.toLong() ?: 0
        return ((if (said > 0) minOf(said, 86_400) * 1000.0 else full / 2) + random * full / 2).toLong()
    }
}

/** Where events are posted, however much of it [url] says already. */
internal fun eventsAddress(url: String): String = url.replace(Regex("(/+v1(/+events)?)?/*$"), "") + "/v1/events"

/** What of a stored text are whole lines; a torn end and what is no event are left out. */
internal fun linesOf(text: String): List<String> =
    text.split("\n").dropLast(1).filter { it.length > 1 && it.startsWith("{") && it.endsWith("}") && '\u0000' !in it }

/** Without U+0000 and halves of characters, which are refused. */
internal fun clean(text: String): String = text.filterIndexed { _, it -> it != '\u0000' }.let { kept ->
    kept.mapIndexed { at, it ->
        val isWhole = it.isHighSurrogate() && kept.getOrNull(at + 1)?.isLowSurrogate() == true ||
            it.isLowSurrogate() && kept.getOrNull(at - 1)?.isHighSurrogate() == true
        if (it.isSurrogate() && !isWhole) '\ufffd' else it
    }.joinToString("")
}

/** At most so many bytes of UTF-8, in whole characters. */
internal fun cut(text: String, limit: Int): String {
    var end = minOf(text.length, limit)
    while (text.getOrNull(end)?.isLowSurrogate() == true || text.substring(0, end).toByteArray().size > limit) end -= 1
    return text.substring(0, end)
}

/** Bytes of the texts that describe. Of a reason the service keeps as many; with another that is longer it refuses the event. */
private val longest = mapOf("reason" to 256, "osVersion" to 64, "sdkVersion" to 64, "network" to 64, "deviceModel" to 64, "region" to 32)

/** An object of texts, numbers, truths and objects; what is null is left out. */
internal fun json(fields: List<Pair<String, Any?>>): String =
    fields.filter { it.second != null }.joinToString(",", "{", "}") { (name, value) ->
        quoted(clean(name)) + ":" + when (value) {
            is Number, is Boolean -> "$value"
            is Map<*, *> -> json(value.map { "${it.key}" to it.value })
            else -> quoted(clean("$value").let { text -> longest[name]?.let { cut(text, it) } ?: text })
        }
    }

private fun quoted(text: String): String = text.map {
    when {
        it == '"' || it == '\\' -> "\\$it"
        it < ' ' -> "\\u%04x".format(java.util.Locale.ROOT, it.toInt())
        else -> "$it"
    }
}.joinToString("", "\"", "\"")
