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
  /// Takes in what pushes about the release of a device's journey led to; rejected ones led to nothing.
  ///
  /// Of several pushes that arrived before the download, the newest is credited.
  mutating func credit(_ journeys: PushedJourneys, _ place: Int, until cutOff: Timestamp) {
    let applied = journeys.applied(place)
    guard applied.happened, applied.at <= cutOff else { return }
    let release = journeys.release
    let credited = journeys.pushedDownload(place).flatMap { download in
      pushes.lastIndex {
        Self.isOwn($0, release) && ($0.receipt.map { $0 <= download + Self.tolerance } ?? false)
      }
    }
    for index in pushes.indices where Self.isOwn(pushes[index], release) {
      guard pushes[index].sent <= applied.at + Self.tolerance else { continue }
      outcomes[index] = Self.earlier(
        outcomes[index], index == credited ? .credited(applied.at) : .appliedOtherwise(applied.at))
    }
  }

  private static func isOwn(_ push: SentPush, _ release: Int64) -> Bool {
    push.release == release && !push.isRejected
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
