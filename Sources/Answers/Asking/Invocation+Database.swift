public import Console
public import Lifecycle
public import Store

extension Invocation {
  /// The database file that was named, else the user's own, which is then said on standard error.
  public func databasePath() throws(Failure) -> String {
    guard let setting = settings.setting(.database), let path = text(.database) else {
      throw Failure(
        "no_database", "no database is named, and there is no home folder for a default one",
        hints: ["name it with --db FILE, with UPTAKE_DB, or as db in the configuration file"], exit: .usage)
    }
    if setting.origin == .fallback { try noteOnce("database: \(path) (the default; --db names another)") }
    return path
  }

  /// The same for a command that makes the database where there is none. The folder of the user's own is made, too.
  public func newDatabasePath() throws(Failure) -> String {
    let path = try databasePath()
    if settings.setting(.database)?.origin == .fallback { try makeFolder(of: path) }
    return path
  }

  /// A consistent reading of the database for one question.
  public func snapshot() throws -> Snapshot { try Snapshot(path: databasePath()) }

  public var instant: Timestamp { parameters.present }
}

extension Parameters {
  public var present: Timestamp { Timestamp(rawValue: now.rawValue) }
}

extension OptionValues {
  public func milliseconds(_ option: Option) -> Milliseconds? {
    duration(option).map { Milliseconds(rawValue: $0.rawValue) }
  }
}
