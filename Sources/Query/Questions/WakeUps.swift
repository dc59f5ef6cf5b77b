public import Lifecycle
public import Store

/// What happens in the background: how wake-ups end, how near they come to the budget, how often refreshes run.
public struct WakeUps: Encodable, Sendable {
  /// The overrun lies between these: a wake-up whose end nobody reported was likely killed, but need not have been.
  public struct Overrun: Encodable, Sendable {
    /// Over 30 seconds, or reported as expired. Of none, as the next, where no wake-up of the group reports its end.
    public var atLeast: Rate
    /// Those and the unfinished.
    public var atMost: Rate
    /// Over 25 seconds, among those that gave a duration.
    public var nearBudget: Rate
  }
  public struct Quantile: Encodable, Sendable {
    public var p: Double
    /// Null where there is no interval.
    @Nullable public var seconds: Int64?
  }
  /// From one background refresh of a device to its next; whole minutes where longer than an hour.
  public struct Intervals: Encodable, Sendable {
    public var count: Int
    public var devices: Int
    public var quantiles: [Quantile]
    /// The shortest period that WorkManager grants. BGTaskScheduler has no floor; hours are usual.
    public var floorSeconds: Int64
    public var underFloor: Rate
  }
  /// UTC, hour 0 first.
  public struct HourOfDay: Encodable, Sendable {
    public var started: [Int]
    public var newData: [Int]
  }
  /// By what the client said; a wake-up may say both a network and that the device charges.
  public struct Surroundings: Encodable, Sendable {
    public var wifi: Int
    public var cellular: Int
    public var charging: Int
    public var unsaid: Int
  }

  public var group: Labels
  public var wakeUps: Int
  public var devices: Int
  /// Every wake-up has one: the outcomes of finished ones, `unsaid` where the end gave none, `unfinished` without an end.
  public var outcomes: [String: Int]
  public var finished: Int
  public var overrun: Overrun
  /// `noData` among finished wake-ups that gave an outcome.
  public var wasted: Rate
  public var refreshIntervals: Intervals
  public var hourOfDay: HourOfDay
  public var surroundings: Surroundings
  /// Hours of the clock in which a device was sent silent pushes; null in rows of other triggers.
  @Nullable public var pushHours: Push.DeviceHours?
}

extension WakeUps: AskedOfPeriod {
  /// What answers about wake-ups can be split by.
  public enum Grouping: Hashable, Sendable {
    case trigger, channel, platform
    /// Something that devices say of themselves.
    case slice(ProfileField)
  }

  public struct Options: QuestionOptions {
    public var by: [Grouping] = [.trigger, .platform]
    public var quantiles = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95]
    public init() {}
  }

  /// WorkManager never runs periodic work more often.
  public static let floor = Milliseconds.minutes(15)

  public struct Question: PeriodAsking {
    public static let name = "wakeups"
    private let wakeUps: WakeCounting

    public init(_ vocabulary: Vocabulary, _ extent: FleetScope, _ options: Options = Options()) throws {
      try extent.check(vocabulary)
      wakeUps = WakeCounting(vocabulary, extent, options)
    }

    public var scope: any Scope { wakeUps.extent }
    public var counts: Counts { Counts(wakeUps) }

    public func findings(_ ledger: Ledger) -> Findings<WakeUps> {
      let counted = ledger[wakeUps]
      let (shown, withheld) = wakeUps.extent.smallGroups.sifted(counted.groups) { $0.devices }
      let rows = shown.map { wakeUps.row($0.key, $0.value) }
      return Findings(
        rows: rows, withheld: withheld, warnings: warnings(rows, isWhole: withheld.isEmpty, wakeUps.end),
        dataThrough: counted.newest.at, end: wakeUps.end,
        echo: [
          "by": .texts(wakeUps.options.by.map(\.rawValue)),
          "floorSeconds": .integer(WakeUps.floor.rawValue / 1000),
        ])
    }
  }

  fileprivate static func warnings(_ rows: [WakeUps], isWhole: Bool, _ cutOff: CutOff) -> [Warning] {
    var warnings: [Warning] = []
    let (all, finished) = (rows.reduce(0) { $0 + $1.wakeUps }, rows.reduce(0) { $0 + $1.finished })
    if all == 0, isWhole { warnings.append(Warning("no_wakeups", "no device reported work in the background here")) }
    if all > 0, finished == 0 {
      warnings.append(
        Warning("no_ends", "no wake-up reports its end: send wakeFinished with outcome and durationMs to see overruns"))
    }
    if rows.contains(where: { $0.surroundings.unsaid < $0.wakeUps && $0.surroundings.charging == 0 }) {
      warnings.append(Warning("charging_unsaid", "no client says whether the device was charging"))
    }
    if cutOff.isBackfilled { warnings.append(.backfilled) }
    return warnings
  }
}

extension WakeCounting: Counting {
  var start: WakeTally { WakeTally(self) }

  func covers(_ other: WakeCounting) -> Bool {
    extent.countsAlike(other.extent) && options.by == other.options.by && !keepsOpen && !other.keepsOpen
  }

  func row(_ group: Labels, _ counts: WakeCounts) -> WakeUps {
    WakeUps(group, counts, level: extent.level, options)
  }
}

extension WakeUps.Grouping: RawRepresentable, CaseIterable {
  public static let allCases = [trigger, channel, platform] + ProfileField.named.map(slice)

  public init?(rawValue: String) {
    if let found = Self.allCases.first(where: { $0.rawValue == rawValue }) {
      self = found
    } else {
      guard let field = ProfileField(rawValue: rawValue) else { return nil }
      self = .slice(field)
    }
  }

  public var rawValue: String {
    switch self {
    case .trigger: "trigger"
    case .channel: "channel"
    case .platform: "platform"
    case .slice(let field): field.rawValue
    }
  }
}
