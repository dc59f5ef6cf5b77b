package android.os

object Build {
    const val MODEL = "model"
    const val FINGERPRINT = "fingerprint"
    const val HARDWARE = "hardware"

    object VERSION {
        const val RELEASE = "14"
    }
}
