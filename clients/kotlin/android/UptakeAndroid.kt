// Glue for Android, on the plain core in ../src. Needs androidx.work:work-runtime-ktx and, for pushes, firebase-messaging.
// It is not compiled by this project's tests, which have no Android SDK.
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

/** The one client of the process, and what fetches an update. Set both in `Application.onCreate`, and nowhere else. */
object UptakeAndroid {
    private val lock = Object()
    @Volatile private var made: Uptake? = null
    private lateinit var options: Options

    /** Downloads what there is and records the stages in the scope; null: the stages say what it came to. */
    @Volatile lateinit var update: (Scope) -> Outcome?
        private set

    fun configure(app: Application, url: String, key: String, appVersion: String, update: (Scope) -> Outcome?) {
        this.update = update
        options = Options(
            url = url, key = key, appVersion = appVersion, platform = "android", osVersion = Build.VERSION.RELEASE,
            deviceModel = Build.MODEL,
            // A phone that is set up from a backup is another device.
            folder = File(app.noBackupFilesDir, "uptake"), emulator = Build.FINGERPRINT.contains("generic"),
            onProblem = { android.util.Log.w("uptake", it) },
            // Of the twenty seconds of a message four are for sending.
            budget = 15_000
        )
        ProcessLifecycleOwner.get().lifecycle.addObserver(Foreground())
    }

    /** Reads the disk the first time: not on the main thread. */
    val client: Uptake get() = made ?: synchronized(lock) { made ?: Uptake(options).also { made = it } }
    internal val known: Uptake? get() = made
}

/** What happens while the app is on screen is of the user's doing. */
private class Foreground : DefaultLifecycleObserver {
    private var scope: Scope? = null

    override fun onStart(owner: LifecycleOwner) {
        Thread({ synchronized(this) { scope = scope ?: UptakeAndroid.client.beginForeground() } }, "uptake-start").start()
    }

    override fun onStop(owner: LifecycleOwner) {
        Thread({ synchronized(this) { scope?.let { UptakeAndroid.known?.end(it) }; scope = null } }, "uptake-stop").start()
    }
}

/** A data message is a silent push. Android calls this on a thread of its own and gives it some twenty seconds. */
open class UptakeMessagingService : FirebaseMessagingService() {
    override fun onMessageReceived(message: RemoteMessage) {
        val onScreen = ProcessLifecycleOwner.get().lifecycle.currentState.isAtLeast(androidx.lifecycle.Lifecycle.State.STARTED)
        UptakeAndroid.client.silentPush(
            id = message.data["uptakePush"] ?: message.messageId, release = message.data["release"],
            appState = if (onScreen) AppState.active else AppState.background, appIsStarting = false, work = UptakeAndroid.update
        )
    }
}

/** Background refresh: WorkManager wakes the app up when there is a network. */
class UptakeWorker(context: Context, parameters: WorkerParameters) : CoroutineWorker(context, parameters) {
    override suspend fun doWork(): Result = runInterruptible(Dispatchers.IO) {
        when (UptakeAndroid.client.backgroundRefresh(BUDGET, UptakeAndroid.update)) {
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
            try { UptakeAndroid.client.started(null).get() } finally { pending.finish() }
        }, "uptake-replaced").start()
    }
}
