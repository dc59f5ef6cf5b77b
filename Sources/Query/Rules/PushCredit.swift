import Lifecycle
import Store

/// How a device came to run the release of a push.
enum PushOutcome: Equatable {
  /// The push woke the app, that wake-up downloaded, and the release ran.
  case credited(Timestamp)
  /// It ran, but another mechanism or another push delivered it.
  case appliedOtherwise(Timestamp)
  case notApplied
}

extension PushMatch {
  /// Takes in what the pushes to a device led to; rejected ones led to nothing.
  mutating func credit(_ releases: inout PushedReleases, _ device: UInt64, until cutOff: Timestamp) {
    for index in pushes.indices where !pushes[index].isRejected {
      for journeys in releases.indices(pushes[index].release) {
        // The first push about the release comes first.
        let start = pushes[index].sent - Self.tolerance
        guard let update = releases.journeys[journeys].takeUpdate(of: device, since: start, until: cutOff) else {
          continue
        }
        let release = pushes[index].release
        if let download = update.pushedDownload { noteBrought(release, by: download) }
        if let ranAt = update.ranAt { credit(release, ranAt, downloadedAt: update.pushedDownload) }
      }
    }
  }

  private mutating func noteBrought(_ release: Int64, by download: Timestamp) {
    for index in pushes.indices where Self.isOwn(pushes[index], release) {
      if pushes[index].sent <= download + Self.tolerance { areBrought[index] = true }
    }
  }

  /// Of several pushes that arrived before the download, the newest is credited.
  ///
  /// - Parameter downloadedAt: by a silent push's wake-up; nil where another trigger had a part in it.
  private mutating func credit(_ release: Int64, _ ranAt: Timestamp, downloadedAt: Timestamp?) {
    let credited = downloadedAt.flatMap { download in
      pushes.lastIndex {
        Self.isOwn($0, release) && ($0.receipt.map { $0 <= download + Self.tolerance } ?? false)
      }
    }
    for index in pushes.indices where Self.isOwn(pushes[index], release) {
      guard pushes[index].sent <= ranAt + Self.tolerance else { continue }
      outcomes[index] = Self.earlier(outcomes[index], index == credited ? .credited(ranAt) : .appliedOtherwise(ranAt))
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
