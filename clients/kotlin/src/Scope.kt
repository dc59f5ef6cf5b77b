package uptake

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Future

class Details(
    val reason: String? = null, val from: String? = null, val bytes: Long? = null, val durationMs: Long? = null,
    val network: String? = null, val push: String? = null, val outcome: Outcome? = null, val appState: AppState? = null,
    val appIsStarting: Boolean? = null
)

/** One reason for the app to run: all that is recorded in it has its trigger. */
class Scope internal constructor(private val uptake: Uptake, val trigger: Trigger, internal val push: String? = null) {
    private val stages = ConcurrentHashMap.newKeySet<Stage>()

    /** Returns at once: the event has its time and id, and is written to the disk on another thread. */
    @JvmOverloads
    fun record(stage: Stage, release: String? = null, details: Details = Details()): Future<*> {
        stages.add(stage)
        return uptake.record(stage, trigger, release, details, details.push ?: push)
    }

    /** What a wake-up came to that does not say it itself. */
    internal val outcome: Outcome
        get() = when {
            Stage.failed in stages -> Outcome.failed
            listOf(Stage.downloadCompleted, Stage.verified, Stage.ready, Stage.applied).any { it in stages } -> Outcome.newData
            else -> Outcome.noData
        }
}
