import Lifecycle
import Store

@testable import Query

/// What the pushes to one device led to, found by going over all its journeys, push by push.
struct PlainCredit {
  let journeys: [Snapshot.Journeys]
  let device: UInt64
  let cutOff: Timestamp

  func outcome(of index: Int, among pushes: [SentPush]) -> PushOutcome {
    let push = pushes[index]
    guard !push.isRejected else { return .notApplied }
    let found = journeys.filter { $0.release == push.release }.compactMap { journey -> (at: Timestamp, isOwn: Bool)? in
      guard let row = journey.shard.devices.firstIndex(of: device) else { return nil }
      guard let ran = self.ran(journey.shard, row, push.release, among: pushes),
        push.sent <= ran.at + PushMatch.tolerance
      else { return nil }
      let end = ran.isApplied ? nil : ran.at
      return (ran.at, credited(journey.shard, row, push.release, among: pushes, by: end) == index)
    }
    guard let first = found.map(\.at).min() else { return .notApplied }
    return found.contains { $0.at == first && $0.isOwn } ? .credited(first) : .appliedOtherwise(first)
  }

  /// When it applied the release; where it had said well before that it runs it, or never applied it, when it first said that. A word
  /// from before the first push about the release does not count.
  private func ran(
    _ shard: JourneyShard, _ row: Int, _ release: Int64, among pushes: [SentPush]
  ) -> (at: Timestamp, isApplied: Bool)? {
    func first(_ stages: [Milestone]) -> Timestamp? {
      stages.map { shard.first($0, row) }.filter { $0.happened && $0.at <= cutOff }.map(\.at).min()
    }
    let sent = pushes.filter { $0.release == release && !$0.isRejected }.map(\.sent).min()
    let applied = first([.applied])
    if let said = first([.confirmed, .running]), let sent, said >= sent - PushMatch.tolerance,
      applied.map({ said < $0 - PushMatch.tolerance }) ?? true
    {
      return (said, false)
    }
    return applied.map { ($0, true) }
  }

  /// The newest of the release's pushes that had arrived when a silent push downloaded it.
  ///
  /// - Parameter end: what was downloaded later had no part in it; nil for all.
  private func credited(
    _ shard: JourneyShard, _ row: Int, _ release: Int64, among pushes: [SentPush], by end: Timestamp?
  ) -> Int? {
    let stages: [Milestone] = [.downloadStarted, .downloadCompleted, .verified, .ready]
    let steps = stages.map { shard.first($0, row) }.filter { step in
      step.happened && (end.map { step.at <= $0 } ?? true)
    }
    guard let download = steps.map(\.at).min(), steps.allSatisfy({ $0.trigger == .silentPush }) else { return nil }
    return pushes.indices.last { index in
      let push = pushes[index]
      return push.release == release && !push.isRejected
        && push.receipt.map { $0 <= download + PushMatch.tolerance } ?? false
    }
  }
}
