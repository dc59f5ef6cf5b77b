package androidx.work

import android.content.Context
import java.util.concurrent.TimeUnit

class WorkerParameters
enum class NetworkType { CONNECTED }
enum class ExistingPeriodicWorkPolicy { KEEP }
class PeriodicWorkRequest

abstract class ListenableWorker {
    enum class Result {
        SUCCESS, RETRY;

        companion object {
            fun success() = SUCCESS
            fun retry() = RETRY
        }
    }
}

@Suppress("UNUSED_PARAMETER")
abstract class CoroutineWorker(context: Context, parameters: WorkerParameters) : ListenableWorker() {
    abstract suspend fun doWork(): Result
}

class Constraints {
    class Builder {
        fun setRequiredNetworkType(@Suppress("UNUSED_PARAMETER") type: NetworkType) = this
        fun build() = Constraints()
    }
}

@Suppress("UNUSED_PARAMETER")
class PeriodicWorkRequestBuilder<Worker : ListenableWorker>(interval: Long, unit: TimeUnit) {
    fun setConstraints(constraints: Constraints) = this
    fun build() = PeriodicWorkRequest()
}

@Suppress("UNUSED_PARAMETER")
class WorkManager {
    fun enqueueUniquePeriodicWork(name: String, policy: ExistingPeriodicWorkPolicy, request: PeriodicWorkRequest) {}

    companion object {
        fun getInstance(context: Context) = WorkManager()
    }
}
