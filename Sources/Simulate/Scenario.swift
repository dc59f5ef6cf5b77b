public import Lifecycle

public enum Platform: UInt8, CaseIterable, Sendable {
  case ios, android
  public var name: String { self == .ios ? "ios" : "android" }
}

/// What a simulated fleet is and what happens to it: everything but the seed.
public struct Scenario: Equatable, Sendable {
  public var name = "unnamed"
  public var about = ""
  public var app = "com.example.shop"
  /// The end of the simulated time; it begins `days` before.
  public var until = Timestamp(rawValue: 1_751_241_600_000)
  public var days = 30
  /// Installed at the beginning; new installs come on top.
  public var devices = 20_000
  public var ios = 0.55
  public var channels = [ChannelShare(name: "production", share: 1)]
  /// The release that every device runs at the beginning, and that the store delivers.
  public var base = "1.0.0"
  public var habits = Habits()
  public var client = Client()
  public var faults = Faults()
  public var transport = Transport()
  public var silentPush = SilentPush()
  public var broken = Broken()
  /// From oldest to newest.
  public var releases: [ReleasePlan] = []

  public init() {}

  public var start: Timestamp { until - .days(Int64(days)) }
}

public struct ChannelShare: Equatable, Sendable {
  public var name: String
  public var share: Double
}

/// How people treat the app.
public struct Habits: Equatable, Sendable {
  /// Sessions a day of the median user; users differ log-normally by `opensSpread`.
  public var opensMedian = 0.7
  public var opensSpread = 1.1
  /// Share of people who swipe apps away after use.
  public var forceQuitters = 0.15
  /// Share of people who have background refresh switched off.
  public var refreshOff = 0.12
  /// Share of users lost in 30 days; of new devices, likewise, as a share of the fleet.
  public var churn = 0.10
  public var installs = 0.10
  /// Share of those who uninstall and come back within days as a new device.
  public var reinstalls = 0.15
  /// Share of devices that change their channel in 30 days.
  public var switches = 0.01
  public var emulators = 0.004
  /// Share that granted location in the background.
  public var location = 0.08
}

/// How the app uses its update client.
public struct Client: Equatable, Sendable {
  public enum ApplyMode: String, CaseIterable, Sendable { case coldStart = "cold-start", resume }
  public var apply = ApplyMode.resume
  /// Period of Android's periodic work; never under 15 minutes.
  public var workPeriod = Milliseconds.minutes(60)
  /// What iOS is asked for as the earliest beginning of the next refresh.
  public var refreshEarliest = Milliseconds.hours(4)
  /// A foreground check is skipped when the last check is younger.
  public var checkEvery = Milliseconds.minutes(10)
  /// A background run without news keeps its events until the last report is this old.
  public var reportEvery = Milliseconds.hours(2)
  public var reportsBucket = true
}

/// Chances per attempt with an ordinary release.
public struct Faults: Equatable, Sendable {
  public var network = 0.02
  public var disk = 0.004
  public var hash = 0.001
  public var signature = 0.0002
  public var patch = 0.004
  /// Chance that a launch crashes for reasons of its own.
  public var crash = 0.0005
}

public struct Transport: Equatable, Sendable {
  /// Share of requests whose answer is lost: the client sends the same events again.
  public var duplicates = 0.01
  /// Share of requests that do not get through at once.
  public var retries = 0.03
  /// Share of events that never arrive.
  public var loss = 0.002
  /// Share of devices that are off line at a given time.
  public var offline = 0.04
  /// Share of devices whose clock is wrong by minutes or hours.
  public var wrongClocks = 0.03
  /// Events a client keeps while it cannot send; the oldest are dropped.
  public var queue = 200
}

/// What the systems do with silent pushes.
public struct SilentPush: Equatable, Sendable {
  /// Deliveries per hour that iOS allows.
  public var perHour = 3
  /// Share that the system drops without a trace.
  public var dropped = 0.02
  /// Visible notifications a day that a held push may ride along with.
  public var noticesPerDay = 0.5
  /// Share of devices that get none, at random, to learn what the push is worth.
  public var holdout = 0.0
}

/// Faults that are put in, to be found. What is empty is whole.
public struct Broken: Equatable, Sendable {
  /// Periodic work never runs.
  public var refresh: Set<Platform> = []
  /// Silent pushes are taken by the gateway and wake nobody.
  public var pushes: Set<Platform> = []
  /// The gateway refuses all pushes.
  public var gateways: Set<Platform> = []
  /// Versions of the system whose devices the server offers no release to.
  public var systems: Set<String> = []
  /// Store builds likewise.
  public var builds: Set<String> = []
  /// Devices of the channel report nothing from an instant on, which counts from the scenario's start.
  public var silent: [String: Milliseconds] = [:]
  /// What is ready is never applied.
  public var apply = false
  /// Clients report a launch by a push, or with one, as if the push had woken the app.
  public var taps = false
}

/// One release and everything that is done with it.
public struct ReleasePlan: Equatable, Sendable {
  /// Some of all devices.
  public enum Devices: Equatable, Sendable {
    case platform(Platform)
    case system(String)
  }

  public var label: String
  public var bytes: Int64 = 900_000
  /// Share of devices on which it crashes at every launch.
  public var crashes = 0.0
  /// The share is one of these devices; nil for all.
  public var crashesAmong: Devices?
  /// Share of devices on which its patch does not apply.
  public var badPatch = 0.0
  /// Share of devices on which the client takes it back at the first launch so long after it was applied.
  public var takenBack = 0.0
  public var takenBackAfter = Milliseconds.hours(0)
  /// The server gives it to no more than this share, whatever was registered.
  public var stuckAt = 1.0
  public var publications: [PublicationPlan] = []
  public var pushes: [PushPlan] = []
}

/// A release on a channel; times count from the scenario's start.
public struct PublicationPlan: Equatable, Sendable {
  public var channel: String
  public var platform: Platform?
  public var at: Milliseconds
  /// Times count from the publication.
  public var rollout: [Step] = []
  public var mandatory = false
  /// From here on it is offered to nobody and taken off the devices that have it.
  public var haltedAt: Milliseconds?

  public struct Step: Equatable, Sendable {
    public var after: Milliseconds
    public var percent: Double
  }
}

/// Silent pushes that announce a release to a channel.
public struct PushPlan: Equatable, Sendable {
  public var channel: String
  public var at: Milliseconds
  public var times = 1
  public var every = Milliseconds.hours(1)
  public var expires = Milliseconds.hours(24)
}
