// What clients/kotlin/android uses of Android, so that it is compiled and run where no SDK is. The other files here as well.
package android.content

import java.io.File

open class Context(val noBackupFilesDir: File = File("."))

class Intent(val action: String?) {
    companion object {
        const val ACTION_MY_PACKAGE_REPLACED = "android.intent.action.MY_PACKAGE_REPLACED"
    }
}

abstract class BroadcastReceiver {
    abstract fun onReceive(context: Context, intent: Intent)
    fun goAsync() = PendingResult()

    class PendingResult {
        fun finish() {}
    }
}
