public import Console
public import Lifecycle
public import Store

extension Invocation {
  /// The database file that was named; commands that need one refuse to guess.
  public func databasePath() throws(Failure) -> String {
    guard let path = text(.database) else {
      throw Failure(
        "no_database", "no database is named",
        hints: ["name it with --db FILE, with UPTAKE_DB, or as db in the configuration file"], exit: .usage)
    }
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
