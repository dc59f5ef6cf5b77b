internal import Console
internal import Lifecycle
internal import Query
internal import Store

extension Invocation {
  /// The database file that was named; commands that need one refuse to guess.
  func databasePath() throws(Failure) -> String {
    guard let path = text(.database) else {
      throw Failure(
        "no_database", "no database is named",
        hints: ["name it with --db FILE, with UPTAKE_DB, or as db in the configuration file"], exit: .usage)
    }
    return path
  }

  /// A consistent reading of the database for one question.
  func snapshot() throws -> Snapshot { try Snapshot(path: databasePath()) }

  var instant: Timestamp { Timestamp(rawValue: (self.instant(.now) ?? now).rawValue) }

  /// The release, filters and rules that the command line asks for, checked against the database.
  func chosen(_ release: String, _ vocabulary: Vocabulary) throws -> Chosen {
    var chosen = try Chosen(vocabulary, app: text(.app), release: ReleaseLabel(rawValue: release), now: instant)
    chosen.selection.channels = texts(.channel)
    chosen.selection.platforms = texts(.platform)
    chosen.selection.by = choices(.by)
    chosen.selection.estimand = choice(.estimand) ?? .speed
    chosen.selection.clock = choice(.startingClock) ?? .own
    chosen.selection.censor = choice(.censor) ?? .window
    chosen.selection.attribution = choice(.attribution) ?? .delivered
    if let window = duration(.reachWindow) { chosen.selection.reachWindow = Milliseconds(rawValue: window.rawValue) }
    chosen.selection.level = number(.confidence) ?? 0.95
    chosen.selection.minCell = integer(.minCell) ?? 0
    chosen.selection.includesEmulators = flag(.emulators)
    try chosen.check(vocabulary)
    return chosen
  }
}
