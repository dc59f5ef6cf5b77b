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
    let moves = try OpenMoves(snapshot, moment, scope)
    try snapshot.scan(moves.asks)
    let releases = try moves.releases() ?? moment.countedReleases(scope, snapshot)
    guard let newest = releases.newest else { return nil }
    self.newest = Timestamp(rawValue: newest)
    parts = releases.parts
    add(grounds: scope.targets + scope.ended, moment)
    try addJourneys(snapshot, moment, moves)
    if scope.isWhole { try addAll(scope.ended, releases, snapshot, moment, moves) }
    if let reach = try moves.reach() ?? moment.countedReach(snapshot) { parts += reach }
  }

  /// Nothing where none before holds still, as of reach.
  private mutating func addJourneys(
    _ snapshot: borrowing Snapshot, _ moment: OpenMoment, _ moves: OpenMoves
  ) throws {
    if moment.before == nil { return }
    parts += try moves.journeys() ?? moment.countedJourneys(snapshot)
    add(grounds: moment.attempted + moment.staged, moment)
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
    _ ended: [ReleaseRecord], _ releases: OpenReleases, _ snapshot: borrowing Snapshot, _ moment: OpenMoment,
    _ moves: OpenMoves
  ) throws {
    let told = try moves.ended(snapshot) ?? moment.countedEnded(ended, snapshot)
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

  func countedJourneys(_ snapshot: borrowing Snapshot) throws -> [SummaryPart] {
    let counting = OpenCounting(
      vocabulary, app, timeline, attempts: attempted, stages: staged, since: cutOff)
    var need = counting.need
    need.last = last
    return try snapshot.count(need) { OpenJourneysTally(counting) }.parts
  }

  func reach() throws -> ReachHistoryCounting {
    try ReachHistoryCounting(vocabulary, timeline, app, since: cutOff)
  }

  /// What is kept of reach, from devices; nil where no summary before holds still: that one goes first, since all devices take long.
  fileprivate func countedReach(_ snapshot: borrowing Snapshot) throws -> [SummaryPart]? {
    guard let state = before, last - state.folded <= min(limits.made, limits.moved) else { return nil }
    let reach = try reach()
    var need = reach.need
    need.last = last
    return try snapshot.count(need) { OpenReachTally(reach) }.parts
  }

  func settling(_ ended: [ReleaseRecord]) -> Settling { Settling(at: cutOff.rawValue, published: published(ended)) }

  /// Releases that ended, from a whole summary or from devices.
  fileprivate func countedEnded(_ releases: [ReleaseRecord], _ snapshot: borrowing Snapshot) throws -> EndedSums {
    let settling = settling(releases)
    let asked = CatalogueCounting(settled(releases), of: releases, keepsPending: true)
    if let known = try EndedReleases(snapshot, asked), known.others.isEmpty,
      let told = try known.told(snapshot, upTo: last, settling: settling)
    {
      return told
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
