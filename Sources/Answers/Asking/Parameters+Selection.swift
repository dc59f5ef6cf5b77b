public import Console
internal import Lifecycle
public import Query
public import Store

extension Parameters {
  /// The release, which is the first argument, filters and rules that are asked for, checked against the database.
  func chosen(_ vocabulary: Vocabulary) throws -> ReleaseScope {
    var chosen = try ReleaseScope(
      vocabulary, app: text(.app), release: ReleaseLabel(rawValue: arguments[0]), now: present)
    chosen.selection.channels = texts(.channel)
    chosen.selection.platforms = texts(.platform)
    chosen.selection.by = ifListed(.by(Grouping.self)) { choices($0) } ?? []
    chosen.selection.estimand = ifListed(.estimand) { choice($0) } ?? .speed
    chosen.selection.clock = ifListed(.startingClock) { choice($0) } ?? .own
    chosen.selection.censor = ifListed(.censor) { choice($0) } ?? .window
    chosen.selection.attribution = ifListed(.attribution) { choice($0) } ?? .delivered
    if let window = ifListed(.reachWindow, milliseconds) { chosen.selection.reachWindow = window }
    chosen.selection.level = ifListed(.confidence) { number($0) } ?? 0.95
    chosen.selection.minCell = ifListed(.minCell) { integer($0) } ?? 0
    chosen.selection.includesEmulators = ifListed(.emulators) { flag($0) } ?? false
    try chosen.check(vocabulary)
    return chosen
  }

  /// The same for a question that is not about one release; it checks the names itself.
  public func extent(_ release: String? = nil, _ vocabulary: Vocabulary) throws -> FleetScope {
    var extent = try FleetScope(
      vocabulary, app: text(.app), release: release.map(ReleaseLabel.init(rawValue:)), now: present)
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
