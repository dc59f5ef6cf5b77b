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

  /// Reads an option where the command lists it.
  func ifListed<Read>(_ option: Option, _ read: (Option) -> Read?) -> Read? {
    command.options.contains { $0.name == option.name } ? read(option) : nil
  }

  func milliseconds(_ option: Option) -> Milliseconds? { duration(option).map { Milliseconds(rawValue: $0.rawValue) } }

  /// The release, filters and rules that the command line asks for, checked against the database.
  func chosen(_ release: String, _ vocabulary: Vocabulary) throws -> Chosen {
    var chosen = try Chosen(vocabulary, app: text(.app), release: ReleaseLabel(rawValue: release), now: instant)
    chosen.selection.channels = texts(.channel)
    chosen.selection.platforms = texts(.platform)
    chosen.selection.by = ifListed(.by(Grouping.self)) { choices($0) } ?? []
    chosen.selection.estimand = ifListed(.estimand) { choice($0) } ?? .speed
    chosen.selection.clock = ifListed(.startingClock) { choice($0) } ?? .own
    chosen.selection.censor = ifListed(.censor) { choice($0) } ?? .window
    chosen.selection.attribution = ifListed(.attribution) { choice($0) } ?? .delivered
    if let window = ifListed(.reachWindow, milliseconds) { chosen.selection.reachWindow = window }
    chosen.selection.level = number(.confidence) ?? 0.95
    chosen.selection.minCell = integer(.minCell) ?? 0
    chosen.selection.includesEmulators = flag(.emulators)
    try chosen.check(vocabulary)
    return chosen
  }

  /// The same for a question that is not about one release; it checks the names itself.
  func extent(_ release: String? = nil, _ vocabulary: Vocabulary) throws -> Extent {
    var extent = try Extent(
      vocabulary, app: text(.app), release: release.map(ReleaseLabel.init(rawValue:)), now: instant)
    extent.channels = ifListed(.channel) { texts($0) } ?? []
    extent.platforms = ifListed(.platform) { texts($0) } ?? []
    extent.since = ifListed(.since, timestamp)
    extent.until = ifListed(.until, timestamp)
    extent.level = ifListed(.confidence) { number($0) } ?? 0.95
    extent.minCell = ifListed(.minCell) { integer($0) } ?? 0
    extent.includesEmulators = ifListed(.emulators) { flag($0) } ?? false
    return extent
  }

  private func timestamp(_ option: Option) -> Timestamp? { instant(option).map { Timestamp(rawValue: $0.rawValue) } }
}
