import Lifecycle
import Store

/// The columns of an open summary.
struct OpenMaking {
  private(set) var parts: [SummaryPart] = []
  /// The last contact of all.
  let newest: Timestamp

  /// Of more releases that have not ended `releases` is told from devices.
  private static let mostOpen = 8

  /// nil where no device has said anything, or nothing can be told of any release.
  init?(_ snapshot: borrowing Snapshot, _ moment: OpenMoment) throws {
    let (vocabulary, timeline) = (moment.vocabulary, moment.timeline)
    guard !vocabulary.platforms(of: moment.app).contains(""), !vocabulary.channels(of: moment.app).contains("") else {
      return nil
    }
    let (ended, open) = (
      timeline.releases.filter(moment.hasEnded), timeline.releases.filter { !moment.hasEnded($0) }
    )
    let targets = moment.told(open.count <= Self.mostOpen ? open : [])
    let isWhole = open.allSatisfy { one in targets.contains { $0.id == one.id } }
    if targets.isEmpty { return nil }
    let question = CatalogueCounting(moment.risk(targets), of: isWhole ? open : [], keepsPending: true)
    var need = question.need
    need.last = moment.last
    // Who names its bucket beyond the cutoff is unsettled for releases that ended in steps, too.
    need.devices.formUnion(moment.settled(ended).need.devices)
    let tally = try snapshot.count(need) {
      OpenReleasesTally(
        question.start, Settling(at: moment.cutOff.rawValue, published: moment.published(targets + ended)),
        isWhole: isWhole)
    }
    guard let newest = tally.newest else { return nil }
    self.newest = Timestamp(rawValue: newest)
    add(tally, targets)
    add(tally.catalogue.risk.counters, targets, until: moment.until)
    add(grounds: targets, question.risk)
    try addJourneys(snapshot, moment)
    if isWhole { try addAll(ended, tally, snapshot, moment) }
    try addReach(snapshot, moment)
  }

  private mutating func addJourneys(_ snapshot: borrowing Snapshot, _ moment: OpenMoment) throws {
    guard let kept = try moment.journeys(snapshot) else { return }
    parts += kept
    addMissing(grounds: moment.attempted + moment.staged, moment)
  }

  private mutating func addReach(_ snapshot: borrowing Snapshot, _ moment: OpenMoment) throws {
    let reach = try ReachHistoryCounting(moment.vocabulary, moment.timeline, moment.app, since: moment.cutOff)
    parts += try moment.reach(reach, snapshot) ?? []
  }

  private mutating func add(_ tally: OpenReleasesTally, _ targets: [ReleaseRecord]) {
    for segment in tally.catalogue.risk.segments where segment.stays > 0 {
      parts.append(SummaryPart(0, segment.group, SummaryPart.place, [Int64(segment.stays)]))
    }
    add(list: tally.unsettled.sorted().map(Int64.init(bitPattern:)), SummaryPart.unsettled)
    add(list: targets.map(\.id), SummaryPart.tabled)
    parts += tally.catalogue.risk.pairParts
    add(list: tally.straddling.map { [$0] } ?? [], SummaryPart.straddling)
  }

  private mutating func add(list: [Int64], _ number: Int64) {
    parts.append(SummaryPart(0, Group(channel: ""), number, list))
  }

  private mutating func add(
    _ counters: [(key: RiskTally.Key, counter: RiskCounter)], _ targets: [ReleaseRecord], until: Timestamp
  ) {
    parts += onAllCores(counters) { key, counter in
      SummaryPart.parts(
        RiskTable.merged([counter.cell]), waiting: counter.waiting ?? [], beyond: counter.beyond,
        release: targets[key.target].id, key.group, until: until)
    }.flatMap(\.self)
  }

  private mutating func add(grounds releases: [ReleaseRecord], _ question: RiskCounting) {
    parts += releases.flatMap { release in
      question.timeline.channels(of: release.id).map { channel in
        SummaryPart(
          release.id, Group(channel: channel), SummaryPart.ground, question.rules(of: release.id, on: channel).ground)
      }
    }
  }

  private mutating func addMissing(grounds releases: [ReleaseRecord], _ moment: OpenMoment) {
    var known = Set(parts.filter { $0.number == SummaryPart.ground }.map(\.release))
    add(grounds: releases.filter { known.insert($0.id).inserted }, moment.settled([]))
  }

  /// What `releases` tells beside the tables.
  private mutating func addAll(
    _ ended: [ReleaseRecord], _ tally: OpenReleasesTally, _ snapshot: borrowing Snapshot, _ moment: OpenMoment
  ) throws {
    guard let told = try moment.ended(ended, snapshot) else { return }
    let sums = told.sums
    var counts = tally.catalogue.counts
    for (opening, figures) in zip(sums.openings, sums.figures)
    where ended.contains(where: { $0.id == opening.record.id }) {
      let (release, channel) = (opening.record.id, opening.channel)
      var counted = CountedRelease()
      let attempts = sums.attempts(release, channel)
      counted.offered = sums.offered(release, channel)
      (counted.attempts, counted.failed) = (attempts.attempts, attempts.failed)
      counted.launches = sums.launches(release, channel)
      counted.young = told.young[.init(release, channel)] ?? []
      counts.note(.init(release, channel), ended: counted)
      parts.append(SummaryPart(release, Group(channel: channel), SummaryPart.figures, figures.stored))
    }
    let window = moment.settled([]).selection.reachWindow
    parts += SummaryPart.parts(counts, steadyAfter: moment.until - window)
    addMissing(grounds: ended, moment)
    add(list: ended.map(\.id), SummaryPart.ended)
    var late = told.late
    late[0, default: []] += tally.early
    parts += late.filter { !$0.value.isEmpty }.map { release, devices in
      SummaryPart(release, Group(channel: ""), SummaryPart.late, Set(devices).sorted().map(Int64.init(bitPattern:)))
    }
  }
}

/// Up to how many events since the summary before an open one keeps reach.
struct ReachLimits {
  /// Of more, nearly every device was heard of again: what is kept saves nothing.
  var moved: Int64 = 300_000
  /// From all devices, which takes several times as long as all else, it is made only where the next one will be able to move it on.
  var made: Int64 = 150_000
}

extension OpenMoment {
  /// `failures` holds a release against the five before it.
  var attempted: [ReleaseRecord] { timeline.newest(8, at: cutOff) }
  var staged: [ReleaseRecord] { timeline.newest(at: cutOff) }

  /// First attempts and stages, from the summary before, or from devices; nil where none before holds still, as of reach.
  fileprivate func journeys(_ snapshot: borrowing Snapshot) throws -> [SummaryPart]? {
    guard let state = try snapshot.earlierSummaryState(app: app, .open), state.ground == timeline.openGround,
      cutOff >= state.since, cutOff < state.until
    else { return nil }
    if let known = try OpenJourneys(snapshot, settled([]), attempts: attempted, stages: staged),
      let moved = try known.moved(snapshot, upTo: last)
    {
      return moved
    }
    return try countedJourneys(snapshot)
  }

  func countedJourneys(_ snapshot: borrowing Snapshot) throws -> [SummaryPart] {
    let counting = OpenCounting(
      vocabulary, app, timeline, attempts: attempted, stages: staged, since: cutOff)
    var need = counting.need
    need.last = last
    return try snapshot.count(need) { OpenJourneysTally(counting) }.parts
  }

  /// What is kept of reach, from the summary before, or from devices; nil where none before holds still: that one goes first, since all
  /// devices take long.
  fileprivate func reach(
    _ reach: ReachHistoryCounting, _ snapshot: borrowing Snapshot
  ) throws -> [SummaryPart]? {
    guard let state = try snapshot.earlierSummaryState(app: app, .open), state.ground == timeline.openGround,
      cutOff >= state.since, cutOff < state.until, last - state.folded <= limits.moved
    else { return nil }
    if let moved = try OpenReachMove(snapshot, reach, settled([]))?.parts(snapshot, upTo: last) { return moved }
    if last - state.folded > limits.made { return nil }
    var need = reach.need
    need.last = last
    return try snapshot.count(need) { OpenReachTally(reach) }.parts
  }

  /// Releases that ended, from the open summary before, or from a whole one, or from devices.
  fileprivate func ended(
    _ releases: [ReleaseRecord], _ snapshot: borrowing Snapshot
  ) throws -> EndedSums? {
    let settling = Settling(at: cutOff.rawValue, published: published(releases))
    let all = CatalogueCounting(settled(timeline.releases), of: timeline.releases)
    if let known = try OpenCatalogue(snapshot, all), known.ended.map(\.id) == releases.map(\.id),
      let told = try known.told(snapshot, upTo: last, settling: settling)
    {
      return told
    }
    let asked = CatalogueCounting(settled(releases), of: releases, keepsPending: true)
    if let known = try EndedReleases(snapshot, asked), known.others.isEmpty {
      return try known.told(snapshot, upTo: last, settling: settling)
    }
    var need = asked.need
    need.last = last
    let tally = try snapshot.count(need) { EndedReleasesTally(catalogue: asked.start, settling: settling) }
    let young = tally.catalogue.counts.pending?.young ?? [:]
    return EndedSums(sums: asked.sum(tally.catalogue), late: tally.late, young: young)
  }
}

/// What is counted for an open summary.
private struct OpenReleasesTally: Tally {
  private(set) var catalogue: CatalogueTally
  private(set) var unsettled: [UInt64] = []
  private(set) var early: [UInt64] = []
  private(set) var newest: Int64?
  private(set) var straddling: Int64?
  private let settling: Settling
  /// Whether it is counted what devices run, too.
  private let isWhole: Bool

  init(_ catalogue: CatalogueTally, _ settling: Settling, isWhole: Bool) {
    (self.catalogue, self.settling, self.isWhole) = (catalogue, settling, isWhole)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    let apart = try settling.unsettled(page) + (isWhole ? moved(page) : [])
    unsettled += apart
    early += settling.early(page)
    // What runs on devices that a question looks at anyway is counted there alone: their contacts beyond the cutoff hide what ran at it.
    if isWhole { try catalogue.count(page, runningWithout: Set(apart)) } else { try catalogue.countReleases(page) }
    let (last, run) = try settling.ends(page)
    note(last, run)
  }

  /// Who says beyond the cutoff that it runs something else.
  private func moved(_ page: borrowing ShardPage) throws -> [UInt64] {
    let (devices, cutOff) = (page.devices, catalogue.risk.question.cutOff.at.rawValue)
    var (sweep, found) = (ReachSweep(), [UInt64]())
    for index in devices.devices.indices where devices.channels[index] != 0 {
      guard let span = (devices.spanOffsets[index]..<devices.spanOffsets[index + 1]).last,
        devices.spanEnds[span] >= cutOff
      else { continue }
      sweep.begin(try page.runs(of: index))
      sweep.load(index, until: cutOff)
      if sweep.release(at: cutOff) != devices.running[index] { found.append(devices.devices[index]) }
    }
    return found
  }

  private mutating func note(_ last: Int64?, _ run: Int64?) {
    newest = [newest, last].compactMap(\.self).max()
    straddling = [straddling, run].compactMap(\.self).max()
  }

  mutating func add(_ other: OpenReleasesTally, times: Int) {
    precondition(times > 0, "nothing is taken out of a summary that is being made")
    catalogue.add(other.catalogue, times: times)
    unsettled += other.unsettled
    early += other.early
    note(other.newest, other.straddling)
  }
}

/// All devices for releases that ended.
private struct EndedReleasesTally: Tally {
  var catalogue: CatalogueTally
  let settling: Settling
  private(set) var late: [Int64: [UInt64]] = [:]

  init(catalogue: CatalogueTally, settling: Settling) { (self.catalogue, self.settling) = (catalogue, settling) }

  mutating func count(_ page: borrowing ShardPage) throws {
    try catalogue.countReleases(page)
    late.add(settling.ofEnded(page))
  }

  mutating func add(_ other: EndedReleasesTally, times: Int) {
    precondition(times > 0, "nothing is taken out of a summary that is being made")
    catalogue.add(other.catalogue, times: times)
    late.add(other.late)
  }
}
