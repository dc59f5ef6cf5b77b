import Lifecycle
import Testing

@testable import Query
@testable import Store

/// What an open summary tells of releases, moved on from another one or counted from all devices: the same.
struct MovedReleases {
  // What was met, so that no test passes because nothing was looked at.
  private(set) var moved = 0
  private(set) var paired = 0
  private(set) var straddling = 0

  mutating func compare(_ path: String, at now: Timestamp) throws {
    let snapshot = try Snapshot(path: path)
    let known = snapshot.lastSorted(upTo: nil)
    let moment = try OpenMoment(snapshot, LivingFleet.app, now: now, last: #require(known))
    let scope = OpenScope(moment)
    let moves = try OpenMoves(snapshot, moment, scope)
    try snapshot.scan(moves.asks)
    guard let parts = moves.releases() else { return }
    let all = try moment.countedReleases(scope, snapshot)
    let (one, other) = (columns(parts), columns(all))
    let different = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
    #expect(different == [], "\(now.rfc3339)")
    #expect(Set(parts.early) == Set(all.early) && parts.newest == all.newest, "\(now.rfc3339)")
    moved += 1
    paired += all.columns.contains { $0.number == SummaryPart.sharedCounts } ? 1 : 0
    guard let end = parts.straddling else { return }
    straddling += 1
    #expect(end > moment.cutOff.rawValue && end <= all.newest ?? .min, "\(now.rfc3339)")
  }

  private func columns(_ releases: OpenReleases) -> [String: [Int64]] {
    let parts = releases.parts + SummaryPart.parts(releases.counts)
    return MovedReach.columns(parts.filter { $0.number != SummaryPart.straddling })
  }
}
