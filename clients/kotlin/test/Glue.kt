// The glue for Android, on stand-ins for it: a start while the folder cannot be seen, and what comes after.
package uptake

import android.app.Application
import android.content.Intent
import androidx.lifecycle.ProcessLifecycleOwner
import androidx.work.ListenableWorker
import androidx.work.WorkerParameters
import com.google.firebase.messaging.RemoteMessage
import java.io.File
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import uptake.android.UptakeAndroid
import uptake.android.UptakeMessagingService
import uptake.android.UptakeReplacedReceiver
import uptake.android.UptakeWorker

private val crashes = ConcurrentLinkedQueue<Throwable>()

/** All entries once, each until its threads have ended; what they came to. */
private fun entries(app: Application): String {
    val said = ArrayList<String>()
    ProcessLifecycleOwner.lifecycle.observers.forEach { it.onStart(ProcessLifecycleOwner) }
    ended()
    UptakeMessagingService().onMessageReceived(RemoteMessage(mapOf(), "m1"))
    UptakeReplacedReceiver().onReceive(app, Intent(Intent.ACTION_MY_PACKAGE_REPLACED))
    ended()
    val done: Continuation<ListenableWorker.Result> = Continuation(EmptyCoroutineContext) { said.add("${it.getOrNull()}") }
    suspend { UptakeWorker(app, WorkerParameters()).doWork() }.startCoroutine(done)
    ProcessLifecycleOwner.lifecycle.observers.forEach { it.onStop(ProcessLifecycleOwner) }
    ended()
    return said.joinToString()
}

private fun ended() = Thread.getAllStackTraces().keys.filter { it.name.startsWith("uptake-") && !it.isDaemon }.forEach { it.join() }

/** In [folder], where a file named `uptake` is in the way at first. */
internal fun glue(folder: File, url: String, key: String): String {
    Thread.setDefaultUncaughtExceptionHandler { _, problem -> crashes.add(problem) }
    val (app, runs) = Pair(Application(folder), ConcurrentLinkedQueue<String>())
    fun configure(url: String) = UptakeAndroid.configure(app, url, key, "1.0") { scope ->
        runs.add("${scope?.trigger}")
        Outcome.noData
    }
    configure(url)
    UptakeAndroid.started { "r1" }
    val first = entries(app)
    File(folder, "uptake").delete()
    val second = entries(app)
    UptakeAndroid.client.flush().get()
    UptakeAndroid.close(forget = true)
    val (third, exists) = Pair(entries(app), File(folder, "uptake").exists())
    // Consent is given again, to a server that is not there.
    configure("http://127.0.0.1:1")
    val fourth = entries(app)
    val problem = android.util.Log.lines.firstOrNull() ?: ""
    return listOf(first, second, third, fourth, runs.joinToString(), crashes.joinToString(), problem, exists).joinToString("|")
}
