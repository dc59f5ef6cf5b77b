public import Lifecycle
public import Store

extension Timeline {
  /// The releases that came to a channel and platform before this one, from old to new.
  public func before(_ id: Int64, channel: String, platform: String?) -> [ReleaseRecord] {
    guard let own = start(id, channel: channel, platform: platform) else { return [] }
    return releases.compactMap { record -> (at: Timestamp, record: ReleaseRecord)? in
      guard record.id != id, !misspelt.contains(record.id),
        let start = start(record.id, channel: channel, platform: platform), start.publishedAt < own.publishedAt
      else { return nil }
      return (start.publishedAt, record)
    }
    .sorted { ($0.at, $0.record.label.rawValue) < ($1.at, $1.record.label.rawValue) }.map(\.record)
  }

  /// The channels that a release came to, in order of name.
  public func channels(of id: Int64) -> [String] {
    channels.filter { start(id, channel: $0, platform: nil) != nil || startsSomewhere(id, channel: $0) }
  }

  private func startsSomewhere(_ id: Int64, channel: String) -> Bool {
    record(id)?.publications.contains { $0.channel == channel } ?? false
  }
}

/// The release that another is held against.
public enum Baseline: Equatable, Sendable {
  /// The one before it on its channel that was not halted.
  case auto
  case none
  case release(ReleaseLabel)
}

/// Which release each channel's figures are held against.
struct Baselines {
  let byChannel: [String: ReleaseRecord]

  init(_ choice: Baseline, _ chosen: ReleaseScope) throws(QuestionError) {
    let (timeline, selection) = (chosen.timeline, chosen.selection)
    let channels = timeline.channels.filter { selection.channels.isEmpty || selection.channels.contains($0) }
    var found: [String: ReleaseRecord] = [:]
    switch choice {
    case .none: break
    case .auto:
      for channel in channels {
        let own = chosen.ownPlatforms(on: channel)
        found[channel] = timeline.before(chosen.target.id, channel: channel, platform: own.onlyOne).last {
          !timeline.isHalted($0.id, channel: channel, platforms: own, at: selection.now)
        }
      }
    case .release(let label):
      let record = try chosen.other(label)
      for channel in channels { found[channel] = record }
    }
    byChannel = found
  }

  var releases: [ReleaseRecord] {
    var seen: Set<Int64> = []
    return byChannel.sorted { $0.key < $1.key }.map(\.value).filter { seen.insert($0.id).inserted }
  }
}

extension ReleaseScope {
  /// Those that are looked at; where none is named and the release came to one alone, that one, as others have releases of their own.
  fileprivate func ownPlatforms(on channel: String) -> [String] {
    guard selection.platforms.isEmpty else { return selection.platforms }
    let own = Set(target.publications.filter { $0.channel == channel }.map(\.platform))
    return own.count == 1 ? own.compactMap(\.self) : []
  }

  /// Another release of the same app.
  public func other(_ label: ReleaseLabel) throws(QuestionError) -> ReleaseRecord {
    guard let record = timeline.record(label) else {
      throw .unknownRelease(
        label.rawValue, app: selection.app, near: timeline.nearest(label))
    }
    if record.id == target.id { throw .sameRelease(label.rawValue) }
    return record
  }
}
