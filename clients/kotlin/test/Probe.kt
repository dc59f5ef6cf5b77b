// The client on a line of words each, for Tests/Clients/test_own.py: words are parted by tabs.
// usage: java … uptake.ProbeKt FOLDER URL [capacity=N] [base=MS] [budget=MS] [delay=MS] [key=KEY] [app=APP] [device=ID]
//   [deviceModel=MODEL] [region=REGION] [plan=TAG]
package uptake

import java.io.File
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

private fun details(words: List<String>): Details {
    val said = words.associate { it.substringBefore('=') to it.substringAfter('=') }
    return Details(reason = said["reason"], network = said["network"], durationMs = said["durationMs"]?.toLong(), bytes = said["bytes"]?.toLong())
}

/** The text of a JSON string. */
private fun text(json: String): String {
    val escape = Regex("\\\\(u[0-9a-fA-F]{4}|.)")
    return escape.replace(json.removeSurrounding("\"")) {
        val said = it.groupValues[1]
        when {
            said.startsWith("u") -> said.drop(1).toInt(16).toChar().toString()
            said == "n" -> "\n"
            else -> said
        }
    }
}

/** The work of a wake-up: stages to record, then what it comes to. */
private fun work(outcome: String, stages: List<String>): (Scope) -> Outcome? = { scope ->
    for (stage in stages) scope.record(Stage.valueOf(stage), "r2")
    if (outcome == "throws") throw IllegalStateException("as asked")
    if (outcome == "never") Thread.sleep(60_000)
    if (outcome == "") null else Outcome.valueOf(outcome)
}

/** A worker that is stopped amid its work. */
private fun stopped(uptake: Uptake): String {
    val (begun, outcome) = Pair(CountDownLatch(1), CompletableFuture<Outcome>())
    val worker = Thread {
        outcome.complete(uptake.backgroundRefresh(60_000) {
            begun.countDown()
            Thread.sleep(60_000)
            null
        })
    }
    worker.start()
    begun.await()
    worker.interrupt()
    return outcome.get(30, TimeUnit.SECONDS).name
}

private fun hex(text: String): String {
    val points = ArrayList<String>()
    var at = 0
    while (at < text.length) {
        val point = text.codePointAt(at)
        points.add(Integer.toHexString(point))
        at += Character.charCount(point)
    }
    return points.joinToString(" ")
}

private fun rule(words: List<String>): String? = when (words[0]) {
    "judge" -> Answer(words[1].toInt(), words[3]).verdict(words[2].toInt()).let { "${it.remove} ${it.refused} ${it.next}" }
    "pause" -> Answer(500, "", words[4]).pause(Next.valueOf(words[1]), words[2].toInt(), words[3].toDouble(), words[5].toLong()).toString()
    "cause" -> Answer(words[1].toInt(), words[2]).cause
    "address" -> eventsAddress(words[1])
    "push" -> arrivalOrTap(AppState.valueOf(words[1]), words[2] == "true").name
    "arm" -> {
        val arms = words[3].split(",").map { it.substringBefore(':') to it.substringAfter(':').toDouble() }
        Experiment(words[2], arms).let { "${it.bucketOf(words[1])} ${it.armOf(words[1]) ?: "-"}" }
    }
    "lines" -> linesOf(text(words[1])).joinToString("|")
    "clean" -> hex(clean(text(words[1])))
    "cut" -> hex(cut(text(words[1]), words[2].toInt()))
    else -> null
}

private fun obey(uptake: Uptake, words: List<String>): String {
    rule(words)?.let { return it }
    when (words[0]) {
        "record" -> uptake.current.record(Stage.valueOf(words[1]), words[2], details(words.drop(3))).get()
        "started" -> uptake.started(words[1].ifEmpty { null }).get()
        "screen" -> uptake.beginForeground().let {
            it.record(Stage.valueOf(words[1]), words[2]).get()
            uptake.end(it)
        }
        "foreground" -> uptake.foreground { it.record(Stage.valueOf(words[1]), words[2]).get() }
        "backgroundRefresh" -> return uptake.backgroundRefresh(work(words[1], words.drop(2))).name
        "silentPush" ->
            return uptake.silentPush("p1", "r2", AppState.valueOf(words[1]), words[2] == "true", work(words[3], words.drop(4))).name
        "stopped" -> return stopped(uptake)
        "glue" -> return glue(File(words[1]), words[2], words[3])
        "close" -> uptake.close(forget = words[1] == "forget").get()
        "device" -> return uptake.device
        "wait" -> Thread.sleep(words[1].toLong())
        "flush", "status" -> {
            if (words[0] == "flush") uptake.flush().get()
            return uptake.status.get().let { "${it.queued} ${it.dropped} ${it.refused} ${it.failures}" }
        }
        else -> throw IllegalArgumentException("unknown command ${words[0]}")
    }
    return ""
}

fun main(args: Array<String>) {
    val setting = args.drop(2).associate { it.substringBefore('=') to it.substringAfter('=') }
    val out = java.io.PrintStream(System.out, true, "UTF-8")
    val uptake = Uptake(Options(
        url = args[1], folder = File(args[0]), appVersion = "1.4.0", app = setting["app"] ?: "com.example.demo", platform = "ios",
        key = setting["key"], device = setting["device"],
        deviceModel = setting["deviceModel"], region = setting["region"], tags = setting["plan"]?.let { mapOf("plan" to it) }, capacity = setting["capacity"]?.toInt() ?: 1000, retryBase = setting["base"]?.toLong() ?: 5000,
        budget = setting["budget"]?.toLong() ?: 25_000, delay = setting["delay"]?.toLong() ?: 1000,
        experiment = Experiment("push", listOf("holdout" to 50.0, "push" to 50.0)),
        onProblem = {
            if ("problems" in setting) out.println("problem: $it")
            if ("throws" in setting) throw IllegalStateException(it)
        }
    ))
    out.println("open")
    for (line in System.`in`.bufferedReader().lineSequence()) out.println(obey(uptake, line.split("\t")).ifEmpty { "done" })
}
