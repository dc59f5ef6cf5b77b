import Lifecycle
import Store

/// What an open summary tells of all but releases that ended, moved on to a later cutoff: made from the one before and the devices that
/// were heard of since, or were unsettled. The same as from all devices, but for which contact straddles the cutoff.
///
/// All others count at the new cutoff as at the old one, but for what ends with it: see `Settling`.
/// Tested in Tests/QueryTests/OpenSummaryTests.
struct OpenReleasesMove {
  private let moment: OpenMoment
  private let scope: OpenScope
  private let reading: OpenReading
  private let earlier: OpenScope
  private let tables: [SummaryPart]
  private let shared: [SummaryPart]
  private let counts: [ReleaseCounts.Place: CountedRelease]

  /// So many events are always few.
  private static let few: Int64 = 10_000
  /// Of more events than a third of the devices, all devices are counted faster.
  private static let devicesAnEvent: Int64 = 3

  /// nil where there is none before, or it does not hold at the cutoff, or tells of something else; or where too much was heard since.
  init?(_ snapshot: borrowing Snapshot, _ moment: OpenMoment, _ scope: OpenScope) throws {
    guard let state = moment.before, state.until == moment.until,
      let reading = try OpenReading(snapshot, moment.settled(scope.targets)),
      Self.pays(moment.last - state.folded, reading), case let earlier = OpenScope(moment.at(state.since)),
      earlier.isAlike(scope),
      reading.column(SummaryPart.tabled) == scope.targets.map(\.id), reading.paired == Set(scope.risk.pairs),
      !scope.isWhole || reading.list(SummaryPart.ended) != nil,
      try reading.parts(snapshot, scope.ended, SummaryPart.grounds) != nil,
      let tables = try reading.parts(snapshot, scope.targets, SummaryPart.ofTables),
      let shared = try reading.parts(snapshot, scope.targets, SummaryPart.ofShared),
      let counts = try snapshot.summary(
        app: moment.app, releases: [0] + moment.timeline.releases.map(\.id), SummaryPart.ofCountsAlone, .open)
    else { return nil }
    (self.moment, self.scope, self.reading, self.earlier) = (moment, scope, reading, earlier)
    (self.tables, self.shared) = (tables, shared)
    self.counts = Self.counts(counts, scope)
  }

  private static func pays(_ events: Int64, _ reading: OpenReading) -> Bool {
    events <= few || events * devicesAnEvent <= reading.stays.values.reduce(0) { $0 + Int64($1) }
  }

  private static func counts(
    _ parts: [SummaryPart], _ scope: OpenScope
  ) -> [ReleaseCounts.Place: CountedRelease] {
    guard scope.isWhole else { return [:] }
    var counted: [ReleaseCounts.Place: CountedRelease] = [:]
    for part in parts { counted[.init(part.release, part.channel), default: .init()].take(part) }
    let ended = Set(scope.ended.map(\.id))
    for place in counted.keys where ended.contains(place.release) { counted[place]?.keepRunning() }
    return counted
  }

  /// nil where what was kept is not what its devices say.
  func releases(_ heard: HeardReleases) -> OpenReleases? {
    let (left, came) = (heard.earlier.risk, heard.now.catalogue.risk)
    guard let tables = movedTables(left, came, heard.beyond), let shared = movedPairs(left, came) else { return nil }
    var stays = reading.stays
    stays.merge(came.places, uniquingKeysWith: +)
    stays.merge(left.places.mapValues { -$0 }, uniquingKeysWith: +)
    let cutOff = scope.risk.cutOff.at.rawValue
    let straddling = reading.column(SummaryPart.straddling).first.flatMap { $0 > cutOff ? $0 : nil }
    return OpenReleases(
      unsettled: Set(heard.now.unsettled), early: heard.now.early,
      newest: [reading.state.dataThrough?.rawValue, heard.newest].compactMap(\.self).max(),
      straddling: [straddling, heard.straddling, heard.now.straddling].compactMap(\.self).max(),
      columns: scope.columns(stays: stays) + shared + tables,
      counts: scope.isWhole ? movedCounts(heard) : [:])
  }

  /// - Parameter last: the number of the last event that is looked at.
  func ask(upTo last: Int64) -> HeardAsk<HeardReleases> {
    let unsettled = reading.column(SummaryPart.unsettled).map(UInt64.init(bitPattern:))
    var span = HeardSpan(last: reading.state.folded, cutOff: scope.risk.cutOff.at.rawValue, unsettled: unsettled)
    (span.looksAtSleepers, span.isNewestKnown, span.steadySince) = (true, true, scope.awakeAfter.rawValue)
    var need = scope.need
    need.last = last
    let start = HeardReleases(
      earlier: earlier.counting.start, now: scope.start, apart: Set(unsettled), isWhole: scope.isWhole)
    return HeardAsk(need, span, start) { try $0.count($1) }
  }

  private func movedTables(_ left: RiskTally, _ came: RiskTally, _ beyond: [MovedContacts.Beyond]) -> [SummaryPart]? {
    func byPlace(_ tally: RiskTally) -> [KeptJourneys.Place: RiskCounter] {
      Dictionary(
        uniqueKeysWithValues: tally.counters.map {
          (.init(release: scope.targets[$0.key.target].id, group: $0.key.group), $0.counter)
        })
    }
    let (left, came) = (byPlace(left), byPlace(came))
    let kept = Dictionary(grouping: tables) { KeptJourneys.Place(release: $0.release, group: $0.group) }
    let (places, beyond) = (Array(Set(kept.keys).union(left.keys).union(came.keys)), byGroup(beyond))
    let moved = onAllCores(places) { place in
      MovedTable(kept[place] ?? [], left: left[place], came: came[place], beyond[place.group] ?? [], moment)?
        .parts(place.release, place.group)
    }
    return moved.contains { $0 == nil } ? nil : moved.compactMap(\.self).flatMap(\.self)
  }

  private func byGroup(_ beyond: [MovedContacts.Beyond]) -> [Group: [MovedContacts.Beyond]] {
    var groups: [SIMD2<Int>: [MovedContacts.Beyond]] = [:]
    for one in beyond { groups[[Int(one.channel), one.platform], default: []].append(one) }
    let (risk, platforms) = (scope.risk, scope.risk.profiles.platforms)
    return Dictionary(
      uniqueKeysWithValues: groups.map { number, list in
        (Group(channel: risk.vocabulary.name(Int64(number[0])), platform: platforms[number[1]]), list)
      })
  }

  private func movedPairs(_ left: RiskTally, _ came: RiskTally) -> [SummaryPart]? {
    guard var open = SummaryPart.open(shared, of: scope.risk.pairs) else { return nil }
    for segment in came.segments { open[segment.group, default: [:]].add(segment.shared.stored, times: 1) }
    for segment in left.segments { open[segment.group, default: [:]].add(segment.shared.stored, times: -1) }
    let time = moment.cutOff...moment.until
    return open.flatMap { SummaryPart.parts($1, of: scope.risk.pairs, $0, for: time) }
      + [SummaryPart.paired(scope.risk.pairs)]
  }

  private func movedCounts(_ heard: HeardReleases) -> [ReleaseCounts.Place: CountedRelease] {
    let (cutOff, window) = (scope.risk.cutOff.at, scope.risk.selection.reachWindow)
    var counts = counts.mapValues { $0.moved(to: cutOff, window) }
    for (place, came) in heard.now.catalogue.counts.counted(steadyAfter: scope.steadyAfter) {
      counts[place, default: .init()].add(came, times: 1)
    }
    for (place, left) in heard.earlier.counts.counted(steadyAfter: scope.steadyAfter) {
      counts[place, default: .init()].add(left.moved(to: cutOff, window), times: -1)
    }
    return counts.filter { !$1.isEmpty }
  }
}
