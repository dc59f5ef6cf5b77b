import Foundation

/// Texts by name in a folder. What is written is on the disk when a call returns.
struct Folder {
  let url: URL

  /// Not in backups: a phone that is set up from one is another device.
  init(_ url: URL) throws {
    self.url = url
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    #if canImport(Darwin)
      var (place, values) = (url, URLResourceValues())
      values.isExcludedFromBackup = true
      try? place.setResourceValues(values)
    #endif
  }

  /// Nil where nothing was written. Throws where it cannot be read, as before a phone was unlocked for the first time.
  func read(_ name: String) throws -> Data? {
    let file = url.appendingPathComponent(name)
    return FileManager.default.fileExists(atPath: file.path) ? try Data(contentsOf: file) : nil
  }

  /// Replaces the text: after a crash it is the old or the new one.
  func write(_ name: String, _ text: Data) throws {
    let (file, new) = (url.appendingPathComponent(name), url.appendingPathComponent(name + ".new"))
    try? FileManager.default.removeItem(at: new)
    try append(name + ".new", text)
    guard rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    // Of -1, a folder that cannot be opened, both do nothing.
    let folder = open(url.path, O_RDONLY)
    fsync(folder)
    close(folder)
  }

  func append(_ name: String, _ text: Data) throws {
    let (file, files) = (url.appendingPathComponent(name), FileManager.default)
    if !files.fileExists(atPath: file.path) { files.createFile(atPath: file.path, contents: nil) }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: text)
    try handle.synchronize()
  }

  /// The folder as well, but for what is not of this client in it.
  func clear() throws {
    for name in ["state", "queue", "state.new", "queue.new"] where try read(name) != nil {
      try FileManager.default.removeItem(at: url.appendingPathComponent(name))
    }
    rmdir(url.path)
  }
}
