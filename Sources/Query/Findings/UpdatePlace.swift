import Console

/// The newest release of a channel on a platform, for findings about updates to it.
struct UpdatePlace {
  let target: FleetCounting.Target
  /// nil of devices that name none.
  let platform: String?

  var group: [String: String] {
    ["channel": target.channel].merging(platform.map { ["platform": $0] } ?? [:]) { $1 }
  }
  /// ` on ios`.
  var words: String { platform.map { " on \(named($0))" } ?? "" }
  var release: String { "\(named(target.label)) on \(named(target.channel))" }
}

extension DiagnosisEvidence {
  private struct Key: Hashable {
    let channel: Int64
    let platform: Int
  }

  /// What is counted of updates, by where they came to.
  var updates: [(place: UpdatePlace, counts: FleetCounts)] {
    sums { Key(channel: $0.channel, platform: $0.platform) }.compactMap { key, counts in
      target(of: key.channel).map {
        (UpdatePlace(target: $0, platform: key.platform == 0 ? nil : platform(key.platform)), counts)
      }
    }
  }

  /// A question about the release of a place.
  func about(_ place: UpdatePlace, _ question: String) -> ShellCommand {
    filtered(question, platform: place.platform).argument(place.target.label)
  }
}
