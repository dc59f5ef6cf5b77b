import Lifecycle
import Store

/// How a device came to apply the release of a push.
enum PushOutcome: Equatable {
  /// The push woke the app, that wake-up downloaded, and the release was applied.
  case credited(Timestamp)
  /// Applied, but another mechanism or another push delivered it.
  case appliedOtherwise(Timestamp)
  case notApplied
}

extension PushMatch {
  /// What each push led to; rejected ones to nothing.
  ///
  /// Of several pushes that arrived before the download, the newest is credited.
  func outcomes(_ journeys: [JourneyView], until cutOff: Timestamp) -> [PushOutcome] {
    var outcomes = [PushOutcome](repeating: .notApplied, count: pushes.count)
    for journey in journeys {
      let applied = journey.first(.applied)
      guard applied.happened, applied.at <= cutOff else { continue }
      let own = pushes.indices.filter { pushes[$0].release == journey.release && !pushes[$0].isRejected }
      let credited = Self.pushedDownload(journey).flatMap { download in
        own.last { pushes[$0].receipt.map { $0 <= download + Self.tolerance } ?? false }
      }
      for index in own where pushes[index].sent <= applied.at + Self.tolerance {
        outcomes[index] = Self.earlier(
          outcomes[index], index == credited ? .credited(applied.at) : .appliedOtherwise(applied.at))
      }
    }
    return outcomes
  }

  /// When a silent push's wake-up first downloaded the release; nil where another trigger had a part in it.
  private static func pushedDownload(_ journey: JourneyView) -> Timestamp? {
    let steps = [Milestone.downloadStarted, .downloadCompleted, .verified, .ready].map(journey.first).filter(\.happened)
    return steps.allSatisfy { $0.trigger == .silentPush } ? steps.map(\.at).min() : nil
  }

  /// A release may reach the device in two channels; what happened first counts.
  private static func earlier(_ one: PushOutcome, _ other: PushOutcome) -> PushOutcome {
    switch (one, other) {
    case (.notApplied, _): other
    case (.credited(let first), .appliedOtherwise(let second)): second < first ? other : one
    case (.appliedOtherwise(let first), .credited(let second)): second <= first ? other : one
    case (.credited(let first), .credited(let second)): second < first ? other : one
    case (.appliedOtherwise(let first), .appliedOtherwise(let second)): second < first ? other : one
    case (_, .notApplied): one
    }
  }
}
