import Lifecycle
import Store

/// The columns of an open summary.
struct OpenMaking {
  private(set) var parts: [SummaryPart] = []
  /// The last contact of all.
  let newest: Timestamp

  /// nil where no device has said anything, or nothing can be told of any release.
  init?(_ snapshot: borrowing Snapshot, _ moment: OpenMoment) throws {
    let vocabulary = moment.vocabulary
    guard !vocabulary.platforms(of: moment.app).contains(""), !vocabulary.channels(of: moment.app).contains("") else {
      return nil
    }
    let scope = OpenScope(moment)
    if scope.targets.isEmpty { return nil }
    let releases = try moment.releases(scope, snapshot)
    guard let newest = releases.newest else { return nil }
    self.newest = Timestamp(rawValue: newest)
    parts = releases.parts
    add(grounds: scope.targets + scope.ended, moment)
    try addJourneys(snapshot, moment)
    if scope.isWhole { try addAll(scope.ended, releases, snapshot, moment) }
    try addReach(snapshot, moment)
  }

  private mutating func addJourneys(_ snapshot: borrowing Snapshot, _ moment: OpenMoment) throws {
    guard let kept = try moment.journeys(snapshot) else { return }
    parts += kept
    add(grounds: moment.attempted + moment.staged, moment)
  }

  private mutating func addReach(_ snapshot: borrowing Snapshot, _ moment: OpenMoment) throws {
    let reach = try ReachHistoryCounting(moment.vocabulary, moment.timeline, moment.app, since: moment.cutOff)
    parts += try moment.reach(reach, snapshot) ?? []
  }

  private mutating func add(list: [Int64], _ number: Int64) {
    parts.append(SummaryPart(0, Group(channel: ""), number, list))
  }

  /// Of those of which they are not stored yet.
  private mutating func add(grounds releases: [ReleaseRecord], _ moment: OpenMoment) {
    var known = Set(parts.filter { $0.number == SummaryPart.ground }.map(\.release))
    let question = moment.settled([])
    parts += releases.filter { known.insert($0.id).inserted }.flatMap { release in
      question.timeline.channels(of: release.id).map { channel in
        SummaryPart(
          release.id, Group(channel: channel), SummaryPart.ground, question.rules(of: release.id, on: channel).ground)
      }
    }
  }

  /// What `releases` tells beside the tables.
  private mutating func addAll(
    _ ended: [ReleaseRecord], _ releases: OpenReleases, _ snapshot: borrowing Snapshot, _ moment: OpenMoment
  ) throws {
    guard let told = try moment.ended(ended, snapshot) else { return }
    let sums = told.sums
    var counts = releases.counts
    for (opening, figures) in zip(sums.openings, sums.figures)
    where ended.contains(where: { $0.id == opening.record.id }) {
      let (release, channel) = (opening.record.id, opening.channel)
      var counted = counts[.init(release, channel)] ?? CountedRelease()
      let attempts = sums.attempts(release, channel)
      counted.offered = sums.offered(release, channel)
      (counted.attempts, counted.failed) = (attempts.attempts, attempts.failed)
      counted.launches = sums.launches(release, channel)
      counted.young = told.young[.init(release, channel)] ?? []
      counts[.init(release, channel)] = counted
      parts.append(SummaryPart(release, Group(channel: channel), SummaryPart.figures, figures.stored))
    }
    parts += SummaryPart.parts(counts)
    add(list: ended.map(\.id), SummaryPart.ended)
    var late = told.late
    late[0, default: []] += releases.early
    parts += late.filter { !$0.value.isEmpty }.map { release, devices in
      SummaryPart(release, Group(channel: ""), SummaryPart.late, Set(devices).sorted().map(Int64.init(bitPattern:)))
    }
  }
}

/// Up to how many events since the summary before an open one keeps reach.
struct ReachLimits {
  /// Of more, nearly every device was heard of again: what is kept saves nothing.
  var moved: Int64 = 300_000
  /// From all devices, which takes several times as long as all else, it is made only where the next one will be able to move it on: the longer
  /// this one takes, the later that comes.
  var made: Int64 = 60_000
}

extension OpenMoment {
  /// `failures` holds a release against the five before it.
  var attempted: [ReleaseRecord] { timeline.newest(8, at: cutOff) }
  var staged: [ReleaseRecord] { timeline.newest(at: cutOff) }

  /// First attempts and stages, from the summary before, or from devices; nil where none before holds still, as of reach.
  fileprivate func journeys(_ snapshot: borrowing Snapshot) throws -> [SummaryPart]? {
    guard before != nil else { return nil }
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
    guard let state = before, last - state.folded <= limits.moved else { return nil }
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
