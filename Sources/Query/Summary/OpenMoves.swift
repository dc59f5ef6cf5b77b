import Lifecycle
import Store

/// What the summary before keeps, moved on to a later cutoff: each by rules of its own, from what one scan shows of the devices that were
/// heard of since. nil is what must be counted from all devices.
struct OpenMoves {
  private var releasesMove: (move: OpenReleasesMove, ask: HeardAsk<HeardReleases>)?
  private var journeysMove: (move: OpenJourneys, ask: HeardAsk<OpenJourneys.Moved>)?
  private var endedMove: (move: OpenCatalogue, ask: HeardAsk<HeardCatalogue>)?
  private var reachMove: (move: OpenReachMove, ask: HeardAsk<MovedReach>)?

  init(_ snapshot: borrowing Snapshot, _ moment: OpenMoment, _ scope: OpenScope) throws {
    guard let before = moment.before else { return }
    let last = moment.last
    releasesMove = try OpenReleasesMove(snapshot, moment, scope).map { ($0, $0.ask(upTo: last)) }
    journeysMove = try OpenJourneys(
      snapshot, moment.settled([]), attempts: moment.attempted, stages: moment.staged
    ).map { ($0, $0.move(upTo: last)) }
    if scope.isWhole { endedMove = try Self.ended(snapshot, moment, scope.ended) }
    if last - before.folded <= moment.limits.moved {
      reachMove = try OpenReachMove(snapshot, moment.reach(), moment.settled([])).map { ($0, $0.ask(upTo: last)) }
    }
  }

  private static func ended(
    _ snapshot: borrowing Snapshot, _ moment: OpenMoment, _ ended: [ReleaseRecord]
  ) throws -> (OpenCatalogue, HeardAsk<HeardCatalogue>)? {
    let asked = CatalogueCounting(moment.settled(ended), of: ended)
    guard let known = try OpenCatalogue(snapshot, asked), known.ended.map(\.id) == ended.map(\.id) else { return nil }
    return (known, known.ask(upTo: moment.last, settling: moment.settling(ended)))
  }

  var asks: [any HeardAsking] {
    let asks: [(any HeardAsking)?] = [releasesMove?.ask, journeysMove?.ask, endedMove?.ask, reachMove?.ask]
    return asks.compactMap(\.self)
  }
}

// MARK: once devices were looked at

extension OpenMoves {
  func releases() -> OpenReleases? { releasesMove.flatMap { $0.move.releases($0.ask.sum) } }
  func journeys() -> [SummaryPart]? { journeysMove.flatMap { $0.move.moved($0.ask.sum) } }
  func reach() -> [SummaryPart]? { reachMove.flatMap { $0.move.parts($0.ask.sum) } }

  func ended(_ snapshot: borrowing Snapshot) throws -> EndedSums? {
    try endedMove.flatMap { try $0.move.told(snapshot, $0.ask.sum) }
  }
}
