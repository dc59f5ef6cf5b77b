package uptake

import java.io.File
import java.io.FileOutputStream
import java.io.IOException
import java.nio.channels.FileChannel
import java.nio.file.Files
import java.nio.file.StandardOpenOption

/** Texts by name in a folder. What is written is on the disk when a call returns. */
internal class Folder(private val folder: File) {
    /** Throws where there is none and none can be made, as before a phone was unlocked for the first time. */
    init { if (!folder.isDirectory && !folder.mkdirs() && !folder.isDirectory) throw IOException("$folder cannot be made a folder") }

    /** Null where nothing was written. Throws where it cannot be read, or seen. */
    fun read(name: String): String? = File(folder, name).let { if (Files.notExists(it.toPath())) null else it.readText() }

    /** Replaces the text: after a crash it is the old or the new one. */
    fun write(name: String, text: String) {
        val fresh = File(folder, "$name.new")
        put(fresh, text, append = false)
        if (!fresh.renameTo(File(folder, name))) throw IOException("$fresh cannot be renamed to $name")
        // Not every system lets a folder be opened; the name is then as durable as the system makes it.
        runCatching { FileChannel.open(folder.toPath(), StandardOpenOption.READ).use { it.force(true) } }
    }

    /** The folder as well, but for what is not of this client in it. */
    fun clear() {
        for (name in listOf("state", "queue", "state.new", "queue.new")) Files.deleteIfExists(File(folder, name).toPath())
        folder.delete()
    }

    fun append(name: String, text: String) = put(File(folder, name), text, append = true)

    private fun put(file: File, text: String, append: Boolean) = FileOutputStream(file, append).use {
        it.write(text.toByteArray())
        it.fd.sync()
    }
}
