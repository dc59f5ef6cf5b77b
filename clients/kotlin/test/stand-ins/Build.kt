package android.os

object Build {
    const val MODEL = "model"
    const val FINGERPRINT = "fingerprint"

    object VERSION {
        const val RELEASE = "14"
    }
}
