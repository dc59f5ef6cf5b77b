public import Lifecycle

/// What another engine knows of the devices of a range, each list in any order.
public struct RemoteDevices: Sendable {
  /// The first and the last contact of one kind on one day, or any other two with less than a day of silence between them.
  public struct Contact: Sendable {
    public var device: UInt64
    var key: UInt64
    public var first, last: Timestamp

    public init(device: UInt64, channel: Int64, claim: Claim, release: Int64, first: Timestamp, last: Timestamp) {
      (self.device, self.first, self.last) = (device, first, last)
      key = ContactRun.key(channel: channel, claim: claim, release: release)
    }
  }
  /// When a device first said such things of itself.
  public struct Profile: Sendable {
    public var device: UInt64
    public var profile: Int64
    public var first: Timestamp

    public init(device: UInt64, profile: Int64, first: Timestamp) {
      (self.device, self.profile, self.first) = (device, profile, first)
    }
  }
  /// The rollout bucket that a device named first.
  public struct Bucket: Sendable {
    public var device: UInt64
    /// `time << 7 | bucket`.
    public var packed: Int64

    public init(device: UInt64, packed: Int64) { (self.device, self.packed) = (device, packed) }
  }
  public var contacts: [Contact] = []
  public var profiles: [Profile] = []
  public var buckets: [Bucket] = []

  public init() {}
}

/// First times on some releases.
public struct RemoteJourneys: Sendable {
  public struct Place: Hashable, Sendable {
    public var release, channel: Int64
    public init(release: Int64, channel: Int64) { (self.release, self.channel) = (release, channel) }
  }
  public struct First: Sendable {
    public var device: UInt64
    public var milestone: Milestone
    public var first: FirstTime
    /// Of a failure, where it was said.
    public var reason: Int64

    public init(device: UInt64, milestone: Milestone, first: FirstTime, reason: Int64 = 0) {
      (self.device, self.milestone, self.first, self.reason) = (device, milestone, first, reason)
    }
  }
  public var firsts: [Place: [First]] = [:]
  public var buckets: [Place: [RemoteDevices.Bucket]] = [:]

  public init() {}
}

/// One event about a push or about work in the background.
public struct RemoteWake: Sendable {
  public var week: Int64
  var fact: DeviceWakeFact

  /// - Parameters:
  ///   - push: a keyed hash of the push's id; 0 is none.
  ///   - milliseconds: negative where the client gave none.
  ///   - release: of a sent push the one that it is about; else 0. So is the platform.
  public init(
    week: Int64, device: UInt64, at: Timestamp, stage: Stage, trigger: Trigger, outcome: Outcome?, network: UInt8,
    push: UInt64, milliseconds: Int32, release: Int64, channel: Int64, platform: Int64
  ) {
    self.week = week
    let isSent = stage == .pushSent
    var what = Int64(stage.code) | Int64(trigger.code) << 5 | Int64(outcome?.code ?? 0) << 8
    what |= (milliseconds < 0 ? 0 : 1 << WakeFact.durationBit) | (push == 0 ? 0 : 1 << WakeFact.pushBit)
    what |= Int64(network) << 13 | (isSent ? release << 17 : 0)
    fact = DeviceWakeFact(
      device: device,
      fact: WakeFact(
        at: at, what: what, place: channel << 32 | (isSent ? platform : 0), push: push, milliseconds: milliseconds))
  }
}
