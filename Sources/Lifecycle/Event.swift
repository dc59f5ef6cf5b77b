/// A device of an app, by the keyed hash of the id that its client sends. The id itself is never kept.
public struct DeviceHash: RawRepresentable, Hashable, Comparable, Sendable {
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// What to look a device up by, given an id as its client sends it: as it is, and a UUID in capitals as readers that keep these in lower
  /// case (Capgo's, Expo's) have it. Other ids that differ in case are other devices.
  public static func spellings(of id: String) -> [String] {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    let isUUID = parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.joined().utf8.allSatisfy(isHexDigit)
    let lower = id.lowercased()
    return !isUUID || lower == id ? [id] : [id, lower]
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}

/// Where a batch keeps a string that an event mentions. `none` is no string.
public struct NameIndex: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let none = NameIndex(rawValue: 0)
}

/// What stays the same from event to event of one installation for a while.
public struct Context: Hashable, Sendable {
  public var app: String
  public var channel: String
  public var platform: String?
  public var osVersion: String?
  public var appVersion: String?
  public var sdkVersion: String?
  public var network: String?
  public var arm: String?
  public var emulator: Bool?
  /// As `DeviceTraits` writes them.
  public var traits: String?

  public init(
    app: String, channel: String = "production", platform: String? = nil, osVersion: String? = nil,
    appVersion: String? = nil, sdkVersion: String? = nil, network: String? = nil, arm: String? = nil,
    emulator: Bool? = nil, traits: String? = nil
  ) {
    self.app = app
    self.channel = channel
    self.platform = platform
    self.osVersion = osVersion
    self.appVersion = appVersion
    self.sdkVersion = sdkVersion
    self.network = network
    self.arm = arm
    self.emulator = emulator
    self.traits = traits
  }
}

/// One lifecycle event, valid by construction: plain numbers, its strings held by the batch it came in.
public struct Event: Equatable, Sendable {
  /// When it happened, with the client's clock skew taken off.
  public var at: Timestamp
  public var device: DeviceHash
  /// Keyed hash of (app, id), or of what the client sent where it gave no id. Two events with one identity are one event.
  public var identity: UInt64
  /// Which of the batch's contexts.
  public var context: UInt32
  public var stage: Stage
  public var trigger: Trigger
  public var outcome: Outcome?
  /// What the stage is about; in `check` and `wakeStarted`, what the device runs.
  public var release: NameIndex
  /// The release that an update came from, where the client says so.
  public var from: NameIndex
  public var reason: NameIndex
  /// Keyed hash of (app, id of the push); 0 is none.
  public var push: UInt64
  public var duration: Milliseconds?
  public var bytes: Int64?
  /// The device's rollout bucket, 0 ≤ n < 100.
  public var bucket: UInt8?

  public init(
    at: Timestamp, device: DeviceHash, identity: UInt64, context: UInt32, stage: Stage, trigger: Trigger,
    outcome: Outcome? = nil, release: NameIndex = .none, from: NameIndex = .none, reason: NameIndex = .none,
    push: UInt64 = 0, duration: Milliseconds? = nil, bytes: Int64? = nil, bucket: UInt8? = nil
  ) {
    self.at = at
    self.device = device
    self.identity = identity
    self.context = context
    self.stage = stage
    self.trigger = trigger
    self.outcome = outcome
    self.release = release
    self.from = from
    self.reason = reason
    self.push = push
    self.duration = duration
    self.bytes = bytes
    self.bucket = bucket
  }
}

extension Event {
  /// The reason of an event whose client has no clock and may send it late: its time of receipt stands in, an upper bound.
  public static let timeOfReceipt = "time_of_receipt"
  /// The reason of a failure that need not be one: a patch could not be applied, and clients then fetch the whole.
  public static let patchFailure = "patch_fail"
}
