import Lifecycle
import Store

extension Summary {
  /// Summarises every app anew of which events were folded, or releases announced, since it was summarised.
  ///
  /// Does nothing while events wait to be sorted, unless what is sorted is to be summarised without them: `EndedReleases` makes
  /// use of that. Reads beside everything else that goes on; what has become outdated meanwhile is not written. Answers
  /// whether there was nothing to wait for.
  ///
  /// - Parameters:
  ///   - whileEventsWait: what is sorted is summarised then.
  ///   - end: no further than this event then, where what was known at it can be told.
  @discardableResult
  public static func refresh(path: String, whileEventsWait: Bool = false, upTo end: Int64? = nil) throws -> Bool {
    var known: Moment?
    var apps: ArraySlice<String>?
    repeat {
      let snapshot = try Snapshot(path: path)
      guard let moment = try Moment(snapshot, whileEventsWait: whileEventsWait, upTo: end, after: known) else {
        return false
      }
      known = known ?? moment
      guard let (app, rest) = try nextOutdated(of: apps ?? snapshot.vocabulary.apps[...], snapshot, moment) else {
        break
      }
      apps = rest
      try summarise(snapshot, app, moment)
    } while apps?.isEmpty == false
    return !whileEventsWait && known?.isWhole == true
  }

  /// With those that come after it.
  private static func nextOutdated(
    of apps: ArraySlice<String>, _ snapshot: borrowing Snapshot, _ moment: Moment
  ) throws -> (app: String, rest: ArraySlice<String>)? {
    for index in apps.indices where try isOutdated(snapshot, apps[index], moment) {
      return (apps[index], apps[(index + 1)...])
    }
    return nil
  }

  private static func isOutdated(_ snapshot: borrowing Snapshot, _ app: String, _ moment: Moment) throws -> Bool {
    let known = try moment.isWhole ? snapshot.summaryState(app: app) : snapshot.earlierSummaryState(app: app)
    guard let known, known.ground == Timeline(snapshot.vocabulary, app: app).ground else { return true }
    return !moment.isWhole && known.folded != moment.last
  }

  private static func summarise(_ snapshot: consuming Snapshot, _ app: String, _ moment: Moment) throws {
    let timeline = Timeline(snapshot.vocabulary, app: app)
    guard let fresh = try Making(snapshot, app, timeline, upTo: moment.isWhole ? nil : moment.last) else { return }
    let state = SummaryState(
      folded: moment.last, since: fresh.cutOff.at, until: timeline.next(from: fresh.cutOff.at) ?? Making.endOfTime,
      dataThrough: fresh.dataThrough, ground: timeline.ground)
    try snapshot.keep(state, fresh.parts, app: app)
  }
}

/// Up to which event a summary goes.
private struct Moment {
  let last: Int64
  /// Whether no event comes after it.
  let isWhole: Bool

  /// nil where there is something to wait for.
  ///
  /// - Parameter earlier: of another app before: events that came in since are left to the next time.
  init?(_ snapshot: borrowing Snapshot, whileEventsWait: Bool, upTo end: Int64?, after earlier: Moment?) throws {
    let whole = try snapshot.summarisable()
    let leavesOut = whileEventsWait || earlier != nil && snapshot.isFile && whole != earlier?.last
    guard let last = leavesOut ? snapshot.lastSorted(upTo: earlier?.last ?? end) : whole else { return nil }
    (self.last, isWhole) = (last, last == whole)
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
  /// Most ask within a day: who falls silent later lies apart.
  private static let soon: Int64 = 86_400_000

  let dataThrough: Timestamp
  /// Right after the newest contact.
  let cutOff: CutOff
  private(set) var parts: [SummaryPart] = []

  /// nil where no device has said anything, or names are not fit to be stored.
  ///
  /// - Parameter last: the event up to which everything is looked at; nil for all.
  init?(_ snapshot: borrowing Snapshot, _ app: String, _ timeline: Timeline, upTo last: Int64?) throws {
    let vocabulary = snapshot.vocabulary
    guard !vocabulary.platforms(of: app).contains(""), !vocabulary.channels(of: app).contains("") else { return nil }
    func question(_ targets: [ReleaseRecord], at cutOff: Timestamp) -> RiskCounting {
      RiskCounting(
        vocabulary, Selection(app: app, release: ReleaseLabel(rawValue: ""), now: cutOff), timeline, targets, .arm,
        cutOff: CutOff(at: cutOff), keepsWaiting: true, countsLegs: true)
    }
    func tally<Counted: Tally>(_ need: Need, _ start: () -> Counted) throws -> Counted {
      var need = need
      need.last = last
      return try snapshot.count(need, start: start)
    }
    let everybody = question([], at: Self.endOfTime)
    let all = try tally(everybody.need) { RiskTally(everybody) }
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
      let risk = question(targets, at: end)
      let open = OpenCounting(
        vocabulary, app, Timeline(vocabulary, app: app, until: end), attempts: targets, stages: targets, since: end)
      let counted = try tally(risk.need.union(open.need) ?? risk.need) {
        SummaryTally(risk: RiskTally(risk), open: OpenTally(open))
      }
      let counters = counted.risk.counters
      let cells = counters.withoutArms
      parts += SummaryPart.mechanisms(counters, targets, arms)
      parts += counted.open.parts(byHour: false)
      emulators.add(counted.open.emulators)
      let tables = onAllCores(cells) { RiskTable.merged([$1.cell]) }
      for (table, (key, counter)) in zip(tables, cells) {
        parts += SummaryPart.parts(
          table, waiting: counter.waiting ?? [], release: targets[key.target].id, key.group,
          laterFrom: Timestamp(rawValue: end.rawValue + Self.soon))
      }
      let settled = Self.settled(zip(tables, cells).map { ($0, $1.key, $1.counter.waiting ?? []) }, targets)
      parts += settled + settled.compactMap { SummaryPart(grounding: $0, risk) }
      let atRisk = tables.reduce(0) { $0 + $1.devices } / targets.count
      let most = snapshot.isFile ? Self.mostAtRisk : Self.mostAtRiskAfar
      atOnce = min(Self.mostReleases, max(1, most / max(1, atRisk)))
    }
    parts += emulators.parts
    // Questions about it read what waits, too.
    if last == nil { parts += try Summary.background(snapshot, app, since: end) }
    if snapshot.isFile {
      let watch = WatchCounting(everybody, timeline)
      parts += try tally(watch.need) { watch.start }.parts
      let risk = RiskCounting(paired: timeline, vocabulary, app, end)
      parts += try tally(risk.need) { risk.start }.pairParts()
    }
    if last == nil {
      let reach = try ReachHistoryCounting(vocabulary, timeline, app, since: end)
      parts += try tally(reach.need) { reach.start }.parts
    }
    let catalogue = CatalogueCounting(question([], at: end), of: timeline.releases, keepsPending: true)
    parts += SummaryPart.parts(try tally(catalogue.need) { catalogue.start }.counts)
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
