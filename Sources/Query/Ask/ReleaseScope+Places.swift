import Lifecycle
import Store

extension ReleaseScope {
  /// The same question of past releases, on the channels and platforms alone that this one came to: devices that may not have it
  /// say nothing of what is usual for it. What was asked for, or is told apart, stays.
  var onItsPlaces: ReleaseScope {
    var own = self
    if selection.channels.isEmpty, !selection.by.contains(.channel), cameTo.count < timeline.channels.count {
      own.selection.channels = cameTo
    }
    if selection.platforms.isEmpty, !selection.by.contains(.platform) {
      let platforms = (selection.channels.isEmpty ? cameTo : selection.channels).map {
        timeline.platforms(of: target.id, on: $0, at: selection.now)
      }
      own.selection.platforms = platforms.contains([]) ? [] : Set(platforms.joined()).sorted()
    }
    return own
  }

  /// Channels where the release came to platforms that are asked about a day or more apart, with the first and the last of these.
  var comingsApart:
    [(channel: String, first: (platform: String, at: Timestamp), last: (platform: String, at: Timestamp))]
  {
    let asked = selection.platforms.isEmpty ? timeline.platforms.sorted() : selection.platforms
    return (selection.channels.isEmpty ? cameTo : selection.channels).compactMap { channel in
      let comings = asked.compactMap { platform -> (platform: String, at: Timestamp)? in
        let start = timeline.start(target.id, channel: channel, platform: platform)
        return start.flatMap { $0.publishedAt <= selection.now ? (platform, $0.publishedAt) : nil }
      }.sorted { ($0.at, $0.platform) < ($1.at, $1.platform) }
      guard let first = comings.first, let last = comings.last, last.at - first.at >= .days(1) else { return nil }
      return (channel, first, last)
    }
  }

  /// Whether a release came to a channel or platform so far that is not among those of another question.
  func came(_ release: ReleaseRecord, beyond other: Selection) -> Bool {
    let channels = selection.channels.isEmpty ? timeline.channels(of: release.id) : selection.channels
    return channels.filter { isThere(release, $0) }.contains { channel in
      if !other.channels.isEmpty, !other.channels.contains(channel) { return true }
      guard selection.platforms.isEmpty, !other.platforms.isEmpty else { return false }
      let platforms = timeline.platforms(of: release.id, on: channel, at: selection.now)
      return platforms.isEmpty || !Set(platforms).isSubset(of: other.platforms)
    }
  }

  private func isThere(_ release: ReleaseRecord, _ channel: String) -> Bool {
    timeline.start(release.id, channel: channel, platform: nil).map { $0.publishedAt <= selection.now } ?? false
  }

  /// The channels that it came to so far.
  private var cameTo: [String] { timeline.channels(of: target.id).filter { isThere(target, $0) } }

  /// Where it is looked at: `beta (ios)`.
  var places: String {
    let platforms = selection.platforms.filter { !$0.isEmpty }.joined(separator: ", ")
    let channels = selection.channels.joined(separator: ", ")
    return channels.isEmpty || platforms.isEmpty ? channels + platforms : "\(channels) (\(platforms))"
  }
}
