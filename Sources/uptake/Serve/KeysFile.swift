internal import Answers
internal import Console
internal import Glibc
internal import Store

extension Option {
  static let keys = Option(
    "keys", .path, key: "keys", completion: "files",
    help: "With a warehouse as --db: the database file with the keys of those who may ask")
}

/// The file of a service: its database or, where a warehouse is asked, one with keys alone.
struct KeysFile {
  var path: String
  /// nil where the file is the database.
  var warehouse: String?
  /// Where nobody needs a key the file is the service's own, in a folder that goes with it.
  private var folder: String?

  init(_ invocation: Invocation) throws {
    let (asked, named) = (try invocation.databasePath(), invocation.text(.keys))
    try Self.check(invocation)
    if RemoteDatabases.isAddress(asked) {
      warehouse = asked
      if let named {
        guard access(named, F_OK) == 0 else { throw StoreError(.missingFile, path: named) }
        path = named
      } else {
        let made = try Self.ownFolder(invocation)
        (folder, path) = (made, made + "/keys.db")
      }
    } else {
      path = try invocation.newDatabasePath()
    }
  }

  /// What can be said of the settings without looking for a file.
  static func check(_ invocation: Invocation) throws(Failure) {
    if RemoteDatabases.isAddress(invocation.text(.database) ?? "") { return try invocation.refuseWhatNodesDo() }
    guard invocation.text(.keys) != nil else { return }
    throw Failure(
      "keys_unused", "the database has its own keys", place: "--keys",
      hints: ["leave it out, or name a warehouse with --db"], exit: .usage)
  }

  private static func ownFolder(_ invocation: Invocation) throws(Failure) -> String {
    let parent = invocation.host.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var name = Array("\(parent)/uptake-keys.XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw Failure(
        "no_directory", "cannot create a folder in \(parent)", why: String(cString: strerror(errno)),
        hints: ["name another place with TMPDIR, or a file of keys with --keys"])
    }
    return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func remove() {
    guard let folder else { return }
    for ending in ["", "-wal", "-shm", ".reserve"] { unlink(path + ending) }
    rmdir(folder)
  }
}

extension Invocation {
  /// What is about a file of events, and would be ignored in silence.
  fileprivate func refuseWhatNodesDo() throws(Failure) {
    let given = [.ship, .replicate, .attest, .retainRaw, .retainShipped, .upstream].first { (option: Option) in
      settings.setting(option).map { $0.origin != .fallback } ?? false
    }
    let what = given.map { "--\($0.name)" } ?? (settings.configuration.tables("export").isEmpty ? nil : "[[export]]")
    guard let what else { return }
    throw Failure(
      "for_nodes", "\(what) is for a service with a file, and this one answers for a warehouse", place: what,
      hints: ["leave it out here; give it to the nodes"], exit: .usage)
  }
}
