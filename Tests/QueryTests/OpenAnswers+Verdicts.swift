import Lifecycle
import Testing

@testable import Query
@testable import Statistics
@testable import Store

/// A verdict holds the newest release against the one before it: for that it is counted what the same devices did with both.
extension OpenAnswers {
  mutating func compareVerdicts(_ summarised: Fleet, _ counted: Fleet, at now: Timestamp) throws {
    let one = try Snapshot(path: summarised.path)
    let other = try Snapshot(path: counted.path)
    let (extent, same) = (
      try FleetScope(one.vocabulary, app: nil, now: now), try FleetScope(other.vocabulary, app: nil, now: now)
    )
    #expect(try bytes(Verdict.answer(one, extent)) == bytes(Verdict.answer(other, same)), "verdict \(now.rfc3339)")
    for channel in Timeline(one.vocabulary, app: LivingFleet.app, until: now).channels {
      try comparePair(one, other, on: channel, at: now)
    }
  }

  private mutating func comparePair(
    _ one: borrowing Snapshot, _ other: borrowing Snapshot, on channel: String, at now: Timestamp
  ) throws {
    guard let (chosen, before) = try pair(one, on: channel, at: now),
      let (same, equal) = try pair(other, on: channel, at: now)
    else { return }
    let asked = RiskCounting(
      one.vocabulary, chosen, [chosen.target, before],
      pairs: [ReleasePair(first: chosen.target.id, second: before.id)])
    judged += 1
    if let stored = try asked.kept(one)?.told(one) {
      judgedFast += 1
      let counted = RiskCounting(
        other.vocabulary, same, [same.target, equal],
        pairs: [ReleasePair(first: same.target.id, second: equal.id)])
      let sum = counted.sum(try other.count(counted.need) { counted.start })
      #expect(told(stored.shared) == told(sum.shared), "shared \(chosen.target.label) \(now.rfc3339)")
      shared += sum.shared.isEmpty ? 0 : 1
    }
    #expect(
      try bytes(Compare.answer(one, chosen, with: before)) == bytes(Compare.answer(other, same, with: equal)),
      "\(chosen.target.label) with \(before.label) on \(channel) \(now.rfc3339)")
  }

  private func pair(
    _ snapshot: borrowing Snapshot, on channel: String, at now: Timestamp
  ) throws -> (chosen: ReleaseScope, before: ReleaseRecord)? {
    let timeline = Timeline(snapshot.vocabulary, app: LivingFleet.app, until: now)
    guard let newest = timeline.newest(on: channel, at: now) else { return nil }
    var chosen = try ReleaseScope(snapshot.vocabulary, app: nil, release: newest.label, now: now)
    chosen.selection.channels = [channel]
    return timeline.before(newest, chosen.selection).first.map { (chosen, $0) }
  }
}
