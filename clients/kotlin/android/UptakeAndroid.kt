// Glue for Android, on the plain core in ../src. Needs androidx.work:work-runtime-ktx and, for pushes, firebase-messaging.
// This project's tests, which have no Android SDK, run it on a few lines that stand in for one.
package uptake.android

import android.app.Application
import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent
import android.os.Build
import androidx.lifecycle.DefaultLifecycleObserver
import androidx.lifecycle.LifecycleOwner
import androidx.lifecycle.ProcessLifecycleOwner
import androidx.work.Constraints
import androidx.work.CoroutineWorker
import androidx.work.ExistingPeriodicWorkPolicy
import androidx.work.NetworkType
import androidx.work.PeriodicWorkRequestBuilder
import androidx.work.WorkManager
import androidx.work.WorkerParameters
import com.google.firebase.messaging.FirebaseMessagingService
import com.google.firebase.messaging.RemoteMessage
import java.io.File
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runInterruptible
import uptake.AppState
import uptake.Options
import uptake.Outcome
import uptake.Scope
import uptake.Uptake

/**
 * The one client of the process, and what fetches an update. Set both in `Application.onCreate`, and nowhere else.
 *
 * Where the client cannot be opened, as before the first unlock after a restart, that is told, what would be measured is left out, and the
 * next entry tries again. No failure of it reaches the app, and none keeps an update from it.
 */
object UptakeAndroid {
    private val lock = Object()
    private var made: Uptake? = null
    // One, however often it is configured.
    private val foreground by lazy { Foreground() }
    @Volatile private var options: Options? = null
    @Volatile private var running: (() -> String?)? = null
    @Volatile private var update: (Scope?) -> Outcome? = { Outcome.noData }

    /**
     * `update` downloads what there is and records the stages in the scope, which is null where nothing can be measured. It answers null where
     * the stages say what it came to.
     */
    fun configure(app: Application, url: String, key: String, appVersion: String, update: (Scope?) -> Outcome?) {
        this.update = update
        options = Options(
            url = url, key = key, appVersion = appVersion, platform = "android", osVersion = Build.VERSION.RELEASE,
            deviceModel = Build.MODEL,
            // A phone that is set up from a backup is another device.
            folder = File(app.noBackupFilesDir, "uptake"), emulator = isEmulator,
            onProblem = ::tell,
            // Of the twenty seconds of a message four are for sending.
            budget = 15_000
        )
        ProcessLifecycleOwner.get().lifecycle.addObserver(foreground)
    }

    /** At each start: what the app runs, null for the build from the store. Asked on a thread of its own, once the client is open. */
    fun started(running: () -> String?) {
        this.running = running
        inThread("uptake-started") {}
    }

    /** Reads the disk the first time: not on the main thread. Throws where the queue cannot be read, and before [configure]. */
    val client: Uptake
        get() = synchronized(lock) {
            val client = made ?: Uptake(checkNotNull(options) { "UptakeAndroid.configure was not called" }).also { made = it }
            // Where the app cannot tell what it runs, the next entry asks again.
            running?.let { ask -> attempt { client.started(ask()); running = null } }
            client
        }

    /**
     * Where consent ends; not for the main thread. Do not call [configure] at the next starts. What goes wrong is told; whatever it is,
     * nothing is measured or sent any more until [configure] is called, as where consent is given again.
     */
    fun close(forget: Boolean) {
        val client = attempt { client }
        options = null
        running = null
        attempt { client?.close(forget)?.get() }
        synchronized(lock) { made = null }
    }

    /** A wake-up: measured where that can be. */
    internal fun wakeUp(measure: (Uptake, (Scope?) -> Outcome?) -> Outcome): Outcome {
        val client = attempt { client } ?: return attempt { update(null) ?: Outcome.noData } ?: Outcome.failed
        return measure(client, update)
    }

    internal fun inThread(name: String, work: (Uptake) -> Unit) {
        Thread({ attempt { work(client) } }, name).start()
    }

    internal fun <Result> attempt(work: () -> Result): Result? = runCatching(work).onFailure { tell("$it") }.getOrNull()

    private val isEmulator
        get() = Build.FINGERPRINT.contains("generic") || Build.HARDWARE in setOf("ranchu", "goldfish")

    private fun tell(problem: String) {
        android.util.Log.w("uptake", problem)
    }
}

/** What happens while the app is on screen is of the user's doing. */
private class Foreground : DefaultLifecycleObserver {
    private var scope: Scope? = null

    override fun onStart(owner: LifecycleOwner) =
        UptakeAndroid.inThread("uptake-start") { synchronized(this) { scope = scope ?: it.beginForeground() } }

    override fun onStop(owner: LifecycleOwner) =
        UptakeAndroid.inThread("uptake-stop") { client -> synchronized(this) { scope?.let { client.end(it) }; scope = null } }
}

/** A data message is a silent push. Android calls this on a thread of its own and gives it some twenty seconds. */
open class UptakeMessagingService : FirebaseMessagingService() {
    override fun onMessageReceived(message: RemoteMessage) {
        val onScreen = ProcessLifecycleOwner.get().lifecycle.currentState.isAtLeast(androidx.lifecycle.Lifecycle.State.STARTED)
        UptakeAndroid.wakeUp { client, update ->
            client.silentPush(
                id = message.data["uptakePush"] ?: message.messageId, release = message.data["release"],
                appState = if (onScreen) AppState.active else AppState.background, appIsStarting = false, work = update
            )
        }
    }
}

/** Background refresh: WorkManager wakes the app up when there is a network. */
class UptakeWorker(context: Context, parameters: WorkerParameters) : CoroutineWorker(context, parameters) {
    override suspend fun doWork(): Result = runInterruptible(Dispatchers.IO) {
        when (UptakeAndroid.wakeUp { client, update -> client.backgroundRefresh(BUDGET, update) }) {
            Outcome.newData, Outcome.noData -> Result.success()
            Outcome.failed, Outcome.expired -> Result.retry()
        }
    }

    companion object {
        /** Android stops a worker after ten minutes: this leaves one for what is left to write and to send. */
        private const val BUDGET = 9 * 60_000L

        /** Fifteen minutes is the least that Android permits. */
        fun schedule(context: Context, everyMinutes: Long = 60) {
            val request = PeriodicWorkRequestBuilder<UptakeWorker>(everyMinutes, TimeUnit.MINUTES)
                .setConstraints(Constraints.Builder().setRequiredNetworkType(NetworkType.CONNECTED).build()).build()
            WorkManager.getInstance(context).enqueueUniquePeriodicWork("uptake", ExistingPeriodicWorkPolicy.KEEP, request)
        }
    }
}

/** After an update from the store: the build that runs is another one, and it says so before anybody opens the app. */
class UptakeReplacedReceiver : BroadcastReceiver() {
    override fun onReceive(context: Context, intent: Intent) {
        if (intent.action != Intent.ACTION_MY_PACKAGE_REPLACED) return
        val pending = goAsync()
        Thread({
            UptakeAndroid.attempt { UptakeAndroid.client.started(null).get() }
            pending.finish()
        }, "uptake-replaced").start()
    }
}
