import Lifecycle
import Testing

@testable import Query
@testable import Store

/// What is kept of reach, moved on from a summary or made from all devices: the same.
enum MovedReach {
  /// False where it cannot be moved on.
  static func compare(_ path: String, at now: Timestamp) throws -> Bool {
    let snapshot = try Snapshot(path: path)
    let known = snapshot.lastSorted(upTo: nil)
    let last = try #require(known)
    let moment = try OpenMoment(snapshot, LivingFleet.app, now: now, last: last)
    let reach = try ReachHistoryCounting(
      snapshot.vocabulary, moment.timeline, LivingFleet.app, since: moment.cutOff)
    let moves = try OpenMoves(snapshot, moment, OpenScope(moment))
    try snapshot.scan(moves.asks)
    guard let parts = moves.reach() else { return false }
    var need = reach.need
    need.last = last
    let all = try snapshot.count(need) { OpenReachTally(reach) }.parts
    #expect(columns(parts) == columns(all), "\(now.rfc3339)")
    return true
  }

  static func columns(_ parts: [SummaryPart]) -> [String: [Int64]] {
    let places = parts.map { "\($0.release) \($0.channel) \($0.platform) \($0.number)" }
    return Dictionary(uniqueKeysWithValues: zip(places, parts.map(\.values)))
  }
}
