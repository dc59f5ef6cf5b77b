import Lifecycle
import Query
import Simulate
import Statistics
import Store

extension StoredFleet {
  /// The share of devices whose first attempt failed.
  func failures() throws -> [Reading] {
    try Failures.answer(try Snapshot(path: path), try chosen()).data.map {
      Reading(.failures, .uptake, $0.rate)
    }
  }

  /// Whether the stop rule, asked every four hours after publication, ever says stop.
  func isStopped(limit: Double) throws -> Bool {
    var options = Failures.Options()
    options.limit = limit
    let snapshot = try Snapshot(path: path)
    let published = scenario.start + (scenario.releases[0].publications.map(\.at).min() ?? .hours(0))
    var now = published + .hours(4)
    while now <= scenario.until {
      let rows = try Failures.answer(snapshot, try chosen(now: now), options).data
      if rows.contains(where: { $0.stopRule.decision == .stop }) { return true }
      now = now + .hours(4)
    }
    return false
  }
}
