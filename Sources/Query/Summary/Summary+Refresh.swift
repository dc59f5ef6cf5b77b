import Lifecycle
import Store

extension Summary {
  /// Summarises every app anew of which events were folded, or releases announced, since it was summarised.
  ///
  /// Does nothing while events wait to be folded. Reads beside everything else that goes on; what has become outdated
  /// meanwhile is not written. Answers whether there was nothing to wait for.
  @discardableResult
  public static func refresh(path: String) throws -> Bool {
    let snapshot = try Snapshot(path: path)
    guard let folded = try snapshot.summarisable() else { return false }
    let generation = try snapshot.generation()
    for app in snapshot.vocabulary.apps {
      let timeline = Timeline(snapshot.vocabulary, app: app)
      if try snapshot.summaryState(app: app)?.ground == timeline.ground { continue }
      guard let fresh = try Making(snapshot, app, timeline) else { continue }
      let state = SummaryState(
        folded: folded, since: fresh.cutOff.at, until: timeline.next(from: fresh.cutOff.at) ?? Making.endOfTime,
        dataThrough: fresh.dataThrough, ground: timeline.ground)
      try snapshot.keep(state, fresh.parts, app: app, generation: generation)
    }
    return true
  }
}

/// The columns of one app's summary, counted from its devices.
private struct Making {
  static let endOfTime = Timestamp(rawValue: 1 << 52)
  /// Releases are taken together as long as about so many devices are at risk of them, for the memory they take.
  private static let mostAtRisk = 1_000_000
  /// Of a warehouse each time sends its devices once more.
  private static let mostAtRiskAfar = 8_000_000
  private static let mostReleases = 16

  let dataThrough: Timestamp
  /// Right after the newest contact.
  let cutOff: CutOff
  private(set) var parts: [SummaryPart] = []

  /// nil where no device has said anything, or names are not fit to be stored.
  init?(_ snapshot: borrowing Snapshot, _ app: String, _ timeline: Timeline) throws {
    let vocabulary = snapshot.vocabulary
    guard !vocabulary.platforms(of: app).contains(""), !vocabulary.channels(of: app).contains("") else { return nil }
    func question(_ targets: [ReleaseRecord], at cutOff: Timestamp) -> RiskCounting {
      RiskCounting(
        vocabulary, Selection(app: app, release: ReleaseLabel(rawValue: ""), now: cutOff), timeline, targets, .arm,
        cutOff: CutOff(at: cutOff), keepsWaiting: true, countsLegs: true)
    }
    let all = try Self.tally(question([], at: Self.endOfTime), snapshot)
    guard let newest = all.newest.at else { return nil }
    dataThrough = newest
    let end = Timestamp(rawValue: newest.rawValue + 1)
    cutOff = CutOff(at: end)
    let arms = all.question.profiles.arms.compactMap(\.self)
    parts += SummaryPart.parts(names: arms, SummaryPart.arms)
    for group in Set(all.segments.map(\.group)).sorted() {
      parts.append(SummaryPart(0, group, SummaryPart.place, []))
    }
    var (rest, atOnce, emulators) = (timeline.releases[...], 1, OpenEmulators())
    while !rest.isEmpty {
      let targets = Array(rest.prefix(atOnce))
      rest = rest.dropFirst(atOnce)
      let counted = try Self.tally(
        question(targets, at: end), OpenCounting(vocabulary, app, timeline, targets, since: end), snapshot)
      let counters = counted.risk.counters
      let cells = counters.withoutArms
      parts += SummaryPart.mechanisms(counters, targets, arms)
      parts += counted.open.parts
      emulators.add(counted.open.emulators)
      let tables = onAllCores(cells) { RiskTable.merged([$1.cell]) }
      for (table, (key, counter)) in zip(tables, cells) {
        parts += SummaryPart.parts(
          table, waiting: counter.waiting ?? [], release: targets[key.target].id, key.group)
      }
      parts += Self.settled(zip(tables, cells).map { ($0, $1.key, $1.counter.waiting ?? []) }, targets)
      let atRisk = tables.reduce(0) { $0 + $1.devices } / targets.count
      let most = snapshot.isFile ? Self.mostAtRisk : Self.mostAtRiskAfar
      atOnce = min(Self.mostReleases, max(1, most / max(1, atRisk)))
    }
    parts += emulators.parts
    parts += try Summary.background(snapshot, app, since: end)
    let catalogue = CatalogueCounting(question([], at: end), of: timeline.releases, keepsPending: true)
    parts += SummaryPart.parts(try snapshot.count(catalogue.need) { catalogue.start }.counts)
  }

  /// The figures of releases on channels where only what has happened ended anybody's time at risk.
  private static func settled(
    _ cells: [(table: RiskTable, key: RiskTally.Key, waiting: [Interval.Waiting])], _ targets: [ReleaseRecord]
  ) -> [SummaryPart] {
    let places = Dictionary(grouping: cells) {
      ReleaseCounts.Place(targets[$0.key.target].id, $0.key.group.channel ?? "")
    }
    // Whether there are limits depends on the rollout where clocks start at first offers.
    let settled = places.filter { place in
      place.value.allSatisfy { $0.waiting.isEmpty && $0.table.remarks[.fromFirstOffer] == nil }
    }
    return onAllCores(settled.map { ($0.key, $0.value) }) {
      place, cells in
      SummaryPart(
        release: place.release, channel: place.channel, platform: "", number: SummaryPart.figures,
        values: ReleaseFigures(RiskTable.merged(cells.map(\.table)), level: ReleaseFigures.level).stored)
    }
  }

  private static func tally(_ question: RiskCounting, _ snapshot: borrowing Snapshot) throws -> RiskTally {
    try snapshot.count(question.need) { RiskTally(question) }
  }

  private static func tally(
    _ question: RiskCounting, _ open: OpenCounting, _ snapshot: borrowing Snapshot
  ) throws -> SummaryTally {
    try snapshot.count(question.need.union(open.need) ?? question.need) {
      SummaryTally(risk: RiskTally(question), open: OpenTally(open))
    }
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
