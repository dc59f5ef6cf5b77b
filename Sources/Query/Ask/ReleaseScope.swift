public import Lifecycle
public import Store

/// A selection whose names are checked against the database.
public struct ReleaseScope: Sendable {
  public var selection: Selection
  public var target: ReleaseRecord
  public var timeline: Timeline

  /// - Parameter app: may be left out where the database holds one.
  public init(_ vocabulary: Vocabulary, app: String?, release: ReleaseLabel, now: Timestamp) throws(QuestionError) {
    let app = try vocabulary.chosenApp(app)
    try self.init(release, of: app, Timeline(vocabulary, app: app, until: now), now: now)
  }

  /// - Parameter timeline: of what is known now; who asks about many releases makes it once.
  public init(_ release: ReleaseLabel, of app: String, _ timeline: Timeline, now: Timestamp) throws(QuestionError) {
    guard let target = timeline.record(release) else {
      throw .unknownRelease(release.rawValue, app: app, near: timeline.nearest(release))
    }
    self.init(target, of: app, timeline, now: now)
  }

  /// By what is known of releases anyway.
  init(_ target: ReleaseRecord, of app: String, _ timeline: Timeline, now: Timestamp) {
    (self.target, self.timeline) = (target, timeline)
    selection = Selection(app: app, release: target.label, now: now)
  }

  /// Refuses channels and platforms that no device and no publication ever named.
  public func check(_ vocabulary: Vocabulary) throws(QuestionError) {
    let channels = vocabulary.channels(of: selection.app, and: timeline)
    for channel in selection.channels where !channels.contains(channel) {
      throw .unknownChannel(channel, known: channels)
    }
    let platforms = vocabulary.platforms(of: selection.app, and: timeline)
    for platform in selection.platforms where !platforms.contains(platform) {
      throw .unknownPlatform(platform, known: platforms)
    }
  }
}

extension ReleaseScope {
  /// On the channels and platforms that are looked at.
  var starts: [Timeline.Start] { starts(of: target) }

  private func starts(of record: ReleaseRecord) -> [Timeline.Start] {
    let channels = selection.channels.isEmpty ? timeline.channels : selection.channels
    return channels.compactMap { timeline.start(record.id, channel: $0, platforms: selection.platforms) }
  }

  /// Releases before it that stood at 0 % nowhere: of one that did adoption says how long somebody let devices wait.
  var unpausedPrecedents: [ReleaseRecord] {
    timeline.precedents(of: target, selection).filter {
      starts(of: $0).allSatisfy { $0.pauses(until: selection.now).isEmpty }
    }
  }

  /// Where it is looked at on one channel: from when on nobody else may have it there.
  var haltedAt: Timestamp? {
    let channels = selection.channels.isEmpty ? timeline.channels(of: target.id) : selection.channels
    guard channels.count == 1 else { return nil }
    return timeline.haltedAt(target.id, channel: channels[0], platforms: selection.platforms)
  }

  /// The same: when its rollout went on there after it had stood still.
  var reopenedAt: Timestamp? { starts.count == 1 ? starts[0].reopenedAt(until: selection.now) : nil }
}

extension Vocabulary {
  public func chosenApp(_ app: String?) throws(QuestionError) -> String {
    guard let app else {
      if apps.isEmpty { throw .nothingStored }
      if apps.count > 1 { throw .whichApp(apps) }
      return apps[0]
    }
    if !apps.contains(app) { throw apps.isEmpty ? .nothingStored : .unknownApp(app, known: apps) }
    return app
  }
}

extension Vocabulary {
  /// Every channel that a device was on, or that a release came to.
  public func channels(of app: String, and timeline: Timeline) -> [String] {
    channels(of: app).union(timeline.channels).sorted()
  }

  /// Every platform that a device was on, or that a release was published for.
  public func platforms(of app: String, and timeline: Timeline) -> [String] {
    platforms(of: app).union(timeline.releases.flatMap(\.publications).compactMap(\.platform)).sorted()
  }
}
