public import Lifecycle

/// Which success is timed. The raw values are the words of `--estimand`.
public enum Estimand: String, CaseIterable, Sendable {
  /// Applying exactly this release; a device leaves when the next release is published.
  case speed
  /// Applying this release or a newer one.
  case patched
  /// Applying exactly this release; a newer one instead is a competing cause.
  case asHappened = "as-happened"
}

/// Where a device's clock starts.
public enum Clock: String, CaseIterable, Sendable {
  /// When the device became eligible.
  case own
  /// At publication; devices that become eligible later enter late.
  case releaseAge = "release-age"
}

/// How long a device that has not updated counts as one that still could.
public enum CensorRule: String, CaseIterable, Sendable {
  /// While its last contact is within the reach window.
  case window
  /// Until it was last seen. Biased where contacts bring the update; for data whose loss to follow-up is real.
  case lastSeen = "last-seen"
  /// Until the data end.
  case cutOff = "cut-off"
}

/// Which trigger is credited with an update.
public enum Attribution: String, CaseIterable, Sendable {
  /// The one that delivered it to the device.
  case delivered
  /// The one under which it was applied.
  case applied
}

/// What answers can be split by.
public enum Grouping: String, CaseIterable, Sendable {
  case channel, platform, mechanism, appVersion
}

/// What a question about a release looks at, and by which rules.
public struct Selection: Equatable, Sendable {
  public var app: String
  public var release: ReleaseLabel
  /// Empty means all.
  public var channels: [String] = []
  public var platforms: [String] = []
  public var by: [Grouping] = []
  public var estimand = Estimand.speed
  public var clock = Clock.own
  public var censor = CensorRule.window
  public var attribution = Attribution.delivered
  public var reachWindow = Milliseconds.days(28)
  /// The instant of the analysis; nothing later is looked at.
  public var now: Timestamp
  public var level = 0.95
  /// Groups of fewer devices are withheld; 0 shows all.
  public var minCell = 0
  /// Emulators tell nothing about users.
  public var includesEmulators = false

  public init(app: String, release: ReleaseLabel, now: Timestamp) {
    self.app = app
    self.release = release
    self.now = now
  }
}
