/// What is shipped over the air: a label or hash, unique within an app.
public struct ReleaseLabel: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Before the version of what a store shipped, which is no release: nobody updates to it over the air.
  public static let storePrefix = "store:"
}

/// From an instant on, a share of the devices may have the release.
public struct RolloutStep: Hashable, Sendable {
  public var at: Timestamp
  /// 0 to 100.
  public var percent: Double
  public init(at: Timestamp, percent: Double) {
    self.at = at
    self.percent = percent
  }
}

extension [RolloutStep] {
  /// When a rollout was set to 0 %, and stayed there; nil where it goes on, or lets nobody have the release at all.
  public var haltedAt: Timestamp? {
    guard let open = lastIndex(where: { $0.percent > 0 }), open + 1 < count else { return nil }
    return self[open + 1].at
  }
}

/// A release on a channel (and one platform, or all) from an instant on.
public struct Publication: Hashable, Sendable {
  public var app: String
  public var release: ReleaseLabel
  public var channel: String
  public var platform: String?
  public var publishedAt: Timestamp
  /// In order of time; empty means everybody at once.
  public var rollout: [RolloutStep]
  public var mandatory: Bool

  public init(
    app: String, release: ReleaseLabel, channel: String, platform: String? = nil, publishedAt: Timestamp,
    rollout: [RolloutStep] = [], mandatory: Bool = false
  ) {
    self.app = app
    self.release = release
    self.channel = channel
    self.platform = platform
    self.publishedAt = publishedAt
    self.rollout = rollout
    self.mandatory = mandatory
  }
}
