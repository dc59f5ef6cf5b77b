package android.app

import android.content.Context
import java.io.File

open class Application(folder: File) : Context(folder)
