import Lifecycle
import Query
import Simulate
import Store

extension StoredFleet {
  /// The share of lost pushes; none where nothing was pushed.
  func pushes() throws -> [Reading] {
    guard scenario.releases.contains(where: { !$0.pushes.isEmpty }) else { return [] }
    let snapshot = try Snapshot(path: path)
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: scenario.until)
    return try Push.answer(snapshot, extent).data.map { Reading(.lostPushes, .uptake, $0.lost.share) }
  }
}
