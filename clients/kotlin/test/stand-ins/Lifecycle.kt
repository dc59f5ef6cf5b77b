package androidx.lifecycle

interface LifecycleOwner {
    val lifecycle: Lifecycle
}

interface DefaultLifecycleObserver {
    fun onStart(owner: LifecycleOwner) {}
    fun onStop(owner: LifecycleOwner) {}
}

class Lifecycle {
    enum class State {
        CREATED, STARTED;

        fun isAtLeast(other: State) = this >= other
    }

    val observers = ArrayList<DefaultLifecycleObserver>()
    var currentState = State.CREATED
    fun addObserver(observer: DefaultLifecycleObserver) {
        observers.add(observer)
    }
}

object ProcessLifecycleOwner : LifecycleOwner {
    override val lifecycle = Lifecycle()
    fun get(): LifecycleOwner = this
}
