internal import Console
internal import Glibc

/// A new folder for one demo, its owner's alone, with settings that say nothing.
struct DemoFolder: Sendable {
  let path: String

  init(_ environment: [String: String]) throws(Failure) {
    let parent = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(parent)/uptake-demo.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(
        "no_directory", "cannot create a folder in \(parent)", why: String(cString: strerror(errno)),
        hints: ["name another place with TMPDIR"])
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let file = try AtomicFile(path + "/config.toml")
    try file.commit()
  }

  func remove() { removeTree(path) }
}
