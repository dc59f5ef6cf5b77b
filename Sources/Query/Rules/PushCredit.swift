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
  /// Takes in what the pushes to a device led to; rejected ones led to nothing.
  mutating func credit(_ releases: inout PushedReleases, _ device: UInt64, until cutOff: Timestamp) {
    for index in pushes.indices where !pushes[index].isRejected {
      for journeys in releases.indices(pushes[index].release) {
        guard let update = releases.journeys[journeys].takeUpdate(of: device, until: cutOff) else { continue }
        credit(pushes[index].release, update.appliedAt, downloadedAt: update.pushedDownload)
      }
    }
  }

  /// Of several pushes that arrived before the download, the newest is credited.
  ///
  /// - Parameter downloadedAt: by a silent push's wake-up; nil where another trigger had a part in it.
  private mutating func credit(_ release: Int64, _ appliedAt: Timestamp, downloadedAt: Timestamp?) {
    let credited = downloadedAt.flatMap { download in
      pushes.lastIndex {
        Self.isOwn($0, release) && ($0.receipt.map { $0 <= download + Self.tolerance } ?? false)
      }
    }
    for index in pushes.indices where Self.isOwn(pushes[index], release) {
      guard pushes[index].sent <= appliedAt + Self.tolerance else { continue }
      outcomes[index] = Self.earlier(
        outcomes[index], index == credited ? .credited(appliedAt) : .appliedOtherwise(appliedAt))
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
