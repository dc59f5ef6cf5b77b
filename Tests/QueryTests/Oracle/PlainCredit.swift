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
      let applied = journey.shard.first(.applied, row)
      guard applied.happened, applied.at <= cutOff, push.sent <= applied.at + PushMatch.tolerance else { return nil }
      return (applied.at, credited(journey.shard, row, push.release, among: pushes) == index)
    }
    guard let first = found.map(\.at).min() else { return .notApplied }
    return found.contains { $0.at == first && $0.isOwn } ? .credited(first) : .appliedOtherwise(first)
  }

  /// The newest of the release's pushes that had arrived when a silent push downloaded it.
  private func credited(_ shard: JourneyShard, _ row: Int, _ release: Int64, among pushes: [SentPush]) -> Int? {
    let stages: [Milestone] = [.downloadStarted, .downloadCompleted, .verified, .ready]
    let steps = stages.map { shard.first($0, row) }.filter(\.happened)
    guard let download = steps.map(\.at).min(), steps.allSatisfy({ $0.trigger == .silentPush }) else { return nil }
    return pushes.indices.last { index in
      let push = pushes[index]
      return push.release == release && !push.isRejected
        && push.receipt.map { $0 <= download + PushMatch.tolerance } ?? false
    }
  }
}
