public import Lifecycle
public import Store

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
public enum Grouping: Hashable, Sendable {
  case channel, platform, mechanism
  /// Something that devices say of themselves.
  case slice(ProfileField)

  public static let appVersion = Grouping.slice(.appVersion)

  public var isSlice: Bool { field != nil }

  var field: ProfileField? {
    guard case .slice(let field) = self else { return nil }
    return field
  }
}

extension Grouping: RawRepresentable, CaseIterable {
  public static let allCases = [channel, platform, mechanism] + ProfileField.named.map(slice)

  public init?(rawValue: String) {
    switch rawValue {
    case "channel": self = .channel
    case "platform": self = .platform
    case "mechanism": self = .mechanism
    default:
      guard let field = ProfileField(rawValue: rawValue) else { return nil }
      self = .slice(field)
    }
  }

  public var rawValue: String {
    switch self {
    case .channel: "channel"
    case .platform: "platform"
    case .mechanism: "mechanism"
    case .slice(let field): field.rawValue
    }
  }
}

/// Only devices that say one of these things of themselves.
public struct ProfileFilter: Equatable, Sendable {
  public var field: ProfileField
  /// `Group.unnamed` stands for devices that never said.
  public var values: [String]

  public init(_ field: ProfileField, _ values: [String]) { (self.field, self.values) = (field, values) }

  /// `osVersion=18.1,18.2`.
  var text: String { field.rawValue + "=" + values.joined(separator: ",") }
}

/// What a question about a release looks at, and by which rules.
public struct Selection: Equatable, Sendable {
  public var app: String
  public var release: ReleaseLabel
  /// Empty means all.
  public var channels: [String] = []
  public var platforms: [String] = []
  public var by: [Grouping] = []
  /// Each narrows what the others leave.
  public var only: [ProfileFilter] = []
  public var estimand = Estimand.speed
  public var clock = Clock.own
  public var censor = CensorRule.window
  public var attribution = Attribution.delivered
  public var reachWindow = Milliseconds.days(28)
  /// The instant of the analysis; nothing later is looked at.
  public var now: Timestamp
  /// Looks at everything until now, and not only until the cutoff: some events of the newest hours are still on their way.
  public var isProvisional = false
  public var level = 0.95
  /// Groups of fewer devices are withheld; 0 shows all.
  public var minCell = 0
  /// Emulators tell nothing about users.
  public var includesEmulators = false
  public var population = Population.everybody
  /// Only devices that were there when the release came to them: of those that came later the clock starts at a contact.
  var leavesOutNewcomers = false

  public init(app: String, release: ReleaseLabel, now: Timestamp) {
    self.app = app
    self.release = release
    self.now = now
  }
}
