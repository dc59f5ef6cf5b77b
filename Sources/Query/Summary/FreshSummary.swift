import Lifecycle
import Store

/// The columns of one app's summary, counted from its devices.
struct FreshSummary {
  static let endOfTime = Timestamp(rawValue: 1 << 52)

  let dataThrough: Timestamp
  /// Right after the newest contact.
  let cutOff: CutOff
  let parts: [SummaryPart]

  /// What was known at its last event cannot be told any more.
  struct Outdated: Error {}

  /// nil where no device has said anything, or names are not fit to be stored.
  ///
  /// - Parameters:
  ///   - snapshot: of what was known at an event, each scan takes another one.
  ///   - last: the event up to which everything is looked at; nil for all.
  ///   - scans: called before each.
  init?(
    _ snapshot: inout Snapshot, _ app: String, _ timeline: Timeline, upTo last: Int64?,
    between scans: @escaping () throws -> Void
  ) throws {
    let vocabulary = snapshot.vocabulary
    guard !vocabulary.platforms(of: app).contains(""), !vocabulary.channels(of: app).contains("") else { return nil }
    let scans = SummaryScans(vocabulary: vocabulary, app: app, timeline: timeline, last: last, between: scans)
    let everybody = scans.risk(of: [], at: Self.endOfTime)
    let all = try scans.tally(&snapshot, everybody.need) { RiskTally(everybody) }
    guard let newest = all.newest.at else { return nil }
    dataThrough = newest
    let end = Timestamp(rawValue: newest.rawValue + 1)
    cutOff = CutOff(at: end)
    let arms = all.question.profiles.cellArms.compactMap(\.self)
    let segments = Set(all.segments.map(\.group)).sorted()
    parts =
      try SummaryPart.parts(names: arms, SummaryPart.arms)
      + segments.map { SummaryPart(0, $0, SummaryPart.place, []) }
      + scans.releases(&snapshot, arms, end) + scans.wholeFleet(&snapshot, everybody, end)
      + scans.catalogue(&snapshot, end)
  }
}

/// The scans that one app's summary is made with.
private struct SummaryScans {
  /// Releases are taken together as long as about so many devices are at risk of them, for the memory they take.
  private static let mostAtRisk = 1_000_000
  /// Of a warehouse each time sends its devices once more.
  private static let mostAtRiskAfar = 8_000_000
  private static let mostReleases = 16
  /// While events come in: a scan is so short that the log does not grow long behind it.
  private static let mostReleasesAmidEvents = 4
  /// Most ask within a day: who falls silent later lies apart.
  private static let soon: Int64 = 86_400_000

  let vocabulary: Vocabulary
  let app: String
  let timeline: Timeline
  /// The event up to which everything is looked at; nil for all.
  let last: Int64?
  let between: () throws -> Void

  func risk(of targets: [ReleaseRecord], at cutOff: Timestamp) -> RiskCounting {
    RiskCounting(
      vocabulary, Selection(app: app, release: ReleaseLabel(rawValue: ""), now: cutOff), timeline, targets, .arm,
      cutOff: CutOff(at: cutOff), keepsWaiting: true, countsLegs: true)
  }

  func tally<Counted: Tally>(
    _ snapshot: inout Snapshot, _ need: Need, _ start: () -> Counted
  ) throws -> Counted {
    var need = need
    need.last = last
    try between()
    if let last, try !snapshot.renew(upTo: last) { throw FreshSummary.Outdated() }
    return try snapshot.count(need, start: start)
  }

  /// Of all releases, as many at once as memory permits by those before.
  func releases(_ snapshot: inout Snapshot, _ arms: [String], _ end: Timestamp) throws -> [SummaryPart] {
    let most = snapshot.isFile ? Self.mostAtRisk : Self.mostAtRiskAfar
    let mostReleases = last == nil ? Self.mostReleases : Self.mostReleasesAmidEvents
    var (rest, atOnce, emulators, parts) = (timeline.releases[...], 1, OpenEmulators(), [SummaryPart]())
    while !rest.isEmpty {
      let targets = Array(rest.prefix(atOnce))
      rest = rest.dropFirst(atOnce)
      let found = try self.parts(of: targets, &snapshot, arms, end, &emulators)
      parts += found.parts
      atOnce = min(mostReleases, max(1, most / max(1, found.devices / targets.count)))
    }
    return parts + emulators.parts
  }

  /// Of some releases in one scan, with how many devices are at risk of them.
  private func parts(
    of targets: [ReleaseRecord], _ snapshot: inout Snapshot, _ arms: [String], _ end: Timestamp,
    _ emulators: inout OpenEmulators
  ) throws -> (parts: [SummaryPart], devices: Int) {
    let risk = risk(of: targets, at: end)
    let open = OpenCounting(
      vocabulary, app, Timeline(vocabulary, app: app, until: end), attempts: targets, stages: targets, since: end)
    let counted = try tally(&snapshot, risk.need.union(open.need) ?? risk.need) {
      SummaryTally(risk: RiskTally(risk), open: OpenTally(open))
    }
    emulators.add(counted.open.emulators)
    let counters = counted.risk.counters
    let cells = counters.withoutArms
    let tables = onAllCores(cells) { RiskTable.merged([$1.cell]) }
    var parts = SummaryPart.mechanisms(counters, targets, arms) + counted.open.parts(byHour: false)
    for (table, (key, counter)) in zip(tables, cells) {
      parts += SummaryPart.parts(
        table, waiting: counter.waiting ?? [], release: targets[key.target].id, key.group,
        laterFrom: Timestamp(rawValue: end.rawValue + Self.soon))
    }
    let settled = Self.settled(zip(tables, cells).map { ($0, $1.key, $1.counter.waiting ?? []) }, risk)
    parts += settled + settled.compactMap { SummaryPart(grounding: $0, risk) }
    return (parts, tables.reduce(0) { $0 + $1.devices })
  }

  /// The figures of releases on channels where only what has happened ended anybody's time at risk.
  private static func settled(
    _ cells: [(table: RiskTable, key: RiskTally.Key, waiting: [Interval.Waiting])], _ risk: RiskCounting
  ) -> [SummaryPart] {
    let places = Dictionary(grouping: cells) {
      ReleaseCounts.Place(risk.targets[$0.key.target].id, $0.key.group.channel ?? "")
    }
    // Whether there are limits depends on the rollout where clocks start at first offers.
    let settled = places.filter { place in
      place.value.allSatisfy { $0.waiting.isEmpty && $0.table.remarks[.fromFirstOffer] == nil }
    }
    return onAllCores(settled.map { ($0.key, $0.value) }) { place, cells -> SummaryPart? in
      guard let tables = followed(cells.map { ($0.table, $0.key.group) }, place.release, risk) else { return nil }
      return SummaryPart(
        release: place.release, channel: place.channel, platform: "", number: SummaryPart.figures,
        values: ReleaseFigures(RiskTable.merged(tables), level: ReleaseFigures.level).stored)
    }.compactMap(\.self)
  }

  /// With how long each platform was followed; nil where that grows, and is not the same on all.
  private static func followed(
    _ cells: [(table: RiskTable, group: Group)], _ release: Int64, _ risk: RiskCounting
  ) -> [RiskTable]? {
    let rules = cells.map { RiskRules(risk.selection, risk.cutOff.at, risk.timeline, release, $0.group) }
    let isAlike = Set(rules.map { $0?.publishedAt }).count < 2 && Set(rules.map { $0?.endedAt }).count < 2
    let hasEnded = rules.allSatisfy { $0.map { $0.endedAt <= $0.cutOff } ?? true }
    guard isAlike || hasEnded else { return nil }
    return zip(cells, rules).map { cell, rules in
      var table = cell.table
      if let rules { table.follow(rules) }
      return table
    }
  }

  /// What is not about single releases.
  func wholeFleet(
    _ snapshot: inout Snapshot, _ everybody: RiskCounting, _ end: Timestamp
  ) throws -> [SummaryPart] {
    // Questions about it read what waits, too.
    var parts = try last == nil ? Summary.background(snapshot, app, since: end) : []
    if snapshot.isFile {
      let watch = WatchCounting(everybody, timeline)
      parts += try tally(&snapshot, watch.need) { watch.start }.parts
      let risk = RiskCounting(paired: timeline, vocabulary, app, end)
      parts += try tally(&snapshot, risk.need) { risk.start }.pairParts()
    }
    if last == nil {
      let reach = try ReachHistoryCounting(vocabulary, timeline, app, since: end)
      parts += try tally(&snapshot, reach.need) { reach.start }.parts
    }
    return parts
  }

  func catalogue(_ snapshot: inout Snapshot, _ end: Timestamp) throws -> [SummaryPart] {
    let catalogue = CatalogueCounting(risk(of: [], at: end), of: timeline.releases, keepsPending: true)
    return SummaryPart.parts(try tally(&snapshot, catalogue.need) { catalogue.start }.counts)
  }
}

/// What one scan counts of some releases.
private struct SummaryTally: Tally {
  var risk: RiskTally
  var open: OpenTally

  mutating func count(_ page: borrowing ShardPage) throws {
    try risk.count(page)
    try open.count(page)
  }

  mutating func add(_ other: SummaryTally, times: Int) {
    risk.add(other.risk, times: times)
    open.add(other.open, times: times)
  }
}
