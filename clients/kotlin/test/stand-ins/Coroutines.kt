package kotlinx.coroutines

object Dispatchers {
    val IO = Unit
}

suspend fun <Result> runInterruptible(@Suppress("UNUSED_PARAMETER") context: Unit, block: () -> Result): Result = block()
