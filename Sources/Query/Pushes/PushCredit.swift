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
  private static let downloading: [Milestone] = [.downloadStarted, .downloadCompleted, .verified, .ready]
  /// What is looked at of journeys.
  static let milestones = downloading + [.applied]

  /// Takes in what pushes about the journey's release led to; rejected ones led to nothing.
  ///
  /// Of several pushes that arrived before the download, the newest is credited.
  mutating func credit(_ journey: JourneyView, until cutOff: Timestamp) {
    let applied = journey.first(.applied)
    guard applied.happened, applied.at <= cutOff else { return }
    let credited = Self.pushedDownload(journey).flatMap { download in
      pushes.lastIndex {
        isOwn($0, journey) && ($0.receipt.map { $0 <= download + Self.tolerance } ?? false)
      }
    }
    for (index, push) in pushes.enumerated() where isOwn(push, journey) && push.sent <= applied.at + Self.tolerance {
      outcomes[index] = Self.earlier(
        outcomes[index], index == credited ? .credited(applied.at) : .appliedOtherwise(applied.at))
    }
  }

  private func isOwn(_ push: SentPush, _ journey: JourneyView) -> Bool {
    push.release == journey.release && !push.isRejected
  }

  /// When a silent push's wake-up first downloaded the release; nil where another trigger had a part in it.
  private static func pushedDownload(_ journey: JourneyView) -> Timestamp? {
    var first: Timestamp?
    for step in downloading.lazy.map(journey.first) where step.happened {
      guard step.trigger == .silentPush else { return nil }
      first = min(first ?? step.at, step.at)
    }
    return first
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
