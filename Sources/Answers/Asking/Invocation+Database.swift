public import Console
public import Lifecycle
public import Store

extension Invocation {
  /// The database file that was named, else the user's own, which is then said on standard error, as is an upgrade that
  /// opening it brings about.
  public func databasePath() throws(Failure) -> String {
    guard let setting = settings.setting(.database), let path = text(.database) else {
      throw Failure(
        "no_database", "no database is named, and there is no home folder for a default one",
        hints: ["name it with --db FILE, with UPTAKE_DB, or as db in the configuration file"], exit: .usage)
    }
    guard !path.isEmpty else {
      throw Failure(
        "no_database", "no database is named: the path is empty", place: "--db",
        hints: ["in a script, look at the variable that holds it"], exit: .usage)
    }
    if setting.origin == .fallback { try noteOnce("database: \(path) (the default; --db names another)") }
    Upgrade.observe { done in try? note([done.words]) }
    return path
  }

  /// The same for a command that makes the database where there is none. The folder of the user's own is made, too.
  public func newDatabasePath() throws(Failure) -> String {
    let path = try databasePath()
    if settings.setting(.database)?.origin == .fallback { try makeFolder(of: path) }
    return path
  }

  /// A consistent reading of the database for one question, after which the process ends.
  public func snapshot() throws -> Snapshot {
    let path = try databasePath()
    Memory.useLargePages()
    var opened: Snapshot?
    try RemoteReading.$current.withValue(RemoteReading(limit: try quota(), isAlone: true)) {
      opened = try Snapshot(path: path)
    }
    guard let snapshot = opened.take() else { preconditionFailure("opened above") }
    if flag(.verbose) {
      let apps = snapshot.vocabulary.apps.count
      let releases = counted(snapshot.vocabulary.releases.count, "release")
      try note(["opened the database: \(counted(apps, "app")), \(releases)"])
    }
    return snapshot
  }

  private func quota() throws -> RemoteReading.Limit? {
    guard lists(.quota), let text = text(.quota) else { return nil }
    guard let limit = RemoteReading.Limit(quota: text) else {
      throw Failure(
        "bad_quota", "\(quoted(text)) is neither a number of bytes nor of rows", place: "--quota",
        hints: ["accepted forms: 500MB, 2GB, 5000000rows"], exit: .usage)
    }
    return limit
  }

  public var instant: Timestamp { parameters.present }
}

extension Parameters {
  public var present: Timestamp { Timestamp(rawValue: now.rawValue) }

  /// What was typed for `--db`, for commands that name all else; nothing where it is not to be written down.
  public var typedDatabase: [(name: String, value: String)] {
    (carried ?? []).filter { $0.name == Option.database.name }
  }
}

extension OptionValues {
  public func milliseconds(_ option: Option) -> Milliseconds? {
    duration(option).map { Milliseconds(rawValue: $0.rawValue) }
  }
}

extension RemoteReading.Limit {
  /// `2GB`, `500000rows`; nil where it is neither.
  public init?(quota text: String) {
    let rows = text.hasSuffix("rows") ? Int(text.dropLast(4)) : nil
    let bytes = rows == nil ? try? byteSize(text) : nil
    guard let most = rows ?? bytes, most > 0 else { return nil }
    self.init(bytes: bytes, rows: rows)
  }
}

extension Upgrade.Done {
  /// What was done, and where the file lies as it was.
  fileprivate var words: String {
    "\(path) was upgraded from schema \(from) to \(to); as it was: \(Upgrade.snapshotPath(path, version: from))"
  }
}
