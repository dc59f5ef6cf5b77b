internal import Console
public import Lifecycle
public import Statistics
public import Store

/// What becomes of silent pushes: delivered, replaced, lost, and how soon they arrive.
///
/// The answer speaks of pushes that the gateway accepted; what it rejected is counted beside them. All rates are among
/// mature pushes: sent at least the horizon before the cutoff.
public struct Push: Encodable, Sendable {
  public struct Point: Encodable, Sendable {
    public var seconds: Int64
    public var share: Estimate
  }
  /// Aalen–Johansen among accepted pushes, a newer push competing; where the curve ends below 1, the rest never came.
  public struct Latency: Encodable, Sendable {
    public var quantiles: [TimeToUpdate.Quantile]
    public var curve: [Point]
    public var events: Int
    public var censored: Int
  }
  public struct Throttle: Encodable, Sendable {
    /// Accepted pushes to the device in the 24 hours before, such as `3-5`.
    public var pushesBefore: String
    public var delivered: Rate
  }
  /// Hours of the clock (UTC) in which a device was sent pushes, by how many.
  public struct DeviceHours: Encodable, Sendable {
    public var hours: Int
    public var byPushes: [String: Int]
    public var overThree: Int
    public var most: Int
  }
  /// Monday 00 to 01 UTC first, 168 hours.
  public struct HourOfWeek: Encodable, Sendable {
    public var mature: [Int]
    public var delivered: [Int]
  }

  public var group: Labels
  public var sent: Int
  public var rejected: Int
  public var accepted: Int
  public var devices: Int
  /// Wake-ups by a push that nobody reported as sent; null where only one release's pushes are looked at.
  @Nullable public var orphans: Int? = nil
  /// Every accepted push is in one state.
  public var states: [String: Int]
  public var mature: Int
  public var matureStates: [String: Int]
  public var delivered: Rate
  public var coalesced: Rate
  public var unreached: Rate
  /// Among mature pushes that were neither replaced nor sent to a device that fell silent; as `delivered`, `coalesced` and
  /// `credited` of none where no device reports that pushes arrive (`noReceipts`).
  public var lost: Rate
  public var arrivals: [String: Int]
  /// Lost pushes of devices that a background refresh woke within the horizon: neither force-quit nor off.
  public var lostThoughRefreshed: Int
  public var latency: Latency
  public var throttling: [Throttle]
  public var deviceHours: DeviceHours
  public var hourOfWeek: HourOfWeek
  /// Pushes that led to the update, of those that name a release, and how long from sending to applying.
  public var credited: Rate
  public var sentToApplied: Latency
}

extension Push: AskedOfPeriod {
  /// What answers about pushes can be split by.
  public enum Grouping: Hashable, Sendable {
    case channel, platform, release
    /// Something that devices say of themselves.
    case slice(ProfileField)
  }

  public struct Options: QuestionOptions {
    public var by: [Grouping] = []
    /// A push that arrives later counts as late.
    public var horizon = Milliseconds.hours(24)
    public var quantiles = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95]
    public var points = 300
    public init() {}
  }

  public struct Question: PeriodAsking {
    public static let name = "push"
    private let pushes: PushCounting
    /// Where one release is asked for: pushes about all, since devices that were sent one about a small one may be few.
    private let others: PushCounting?

    public init(_ vocabulary: Vocabulary, _ extent: FleetScope, _ options: Options = Options()) throws {
      try extent.check(vocabulary)
      pushes = PushCounting(vocabulary, extent, options)
      var (all, whole) = (extent, options)
      (all.release, whole.by) = (nil, [])
      others = extent.release == nil ? nil : PushCounting(vocabulary, all, whole)
    }

    public var scope: any Scope { pushes.extent }
    public var counts: Counts { Counts(pushes) }

    /// Whether any device of the app reports that pushes arrive, where none does of those that were sent one about the release.
    public func more(_ findings: Findings<Push>, _ ledger: Ledger) -> Counts {
      findings.rows.contains(where: \.areReceiptsMissing) ? Counts([others].compactMap(\.self)) : Counts([])
    }

    public func findings(_ ledger: Ledger) -> Findings<Push> {
      let counted = ledger[pushes]
      let (shown, withheld) = pushes.extent.smallGroups.sifted(counted.groups) { $0.devices }
      let areReceiptsReported =
        counted.areReceiptsReported || others.flatMap { ledger.known($0) }?.areReceiptsReported ?? false
      let rows = shown.map {
        Push(
          $0.key, $0.value, pushes.extent, pushes.options,
          areReceiptsReported: areReceiptsReported && !$0.value.areReceiptsMissing)
      }
      let found = warnings(
        rows, isWhole: withheld.isEmpty, pushes.extent, pushes.end, namingOthers: counted.namingOthers)
      return Findings(
        rows: rows, withheld: withheld,
        warnings: found + partly(zip(rows, shown).filter { !$0.0.areReceiptsMissing }.map { $0.1.value }),
        dataThrough: counted.newest.at, end: pushes.end,
        echo: [
          "by": .texts(pushes.options.by.map(\.rawValue)),
          "horizonSeconds": .integer(pushes.options.horizon.rawValue / 1000),
        ])
    }
  }

  /// - Parameter others: as `PushTally.namingOthers`.
  fileprivate static func warnings(
    _ rows: [Push], isWhole: Bool, _ extent: FleetScope, _ cutOff: CutOff, namingOthers others: Int
  ) -> [Warning] {
    var warnings: [Warning] = []
    let (sent, mature) = (rows.reduce(0) { $0 + $1.sent }, rows.reduce(0) { $0 + $1.mature })
    if sent == 0, isWhole, others > 0 {
      warnings.append(.namingOthers(others, extent.channels))
    } else if sent == 0, isWhole {
      let period = extent.periodWords
      let isCut = cutOff.lag > .minutes(5) && extent.until ?? extent.now > cutOff.at
      let until =
        isCut ? " up to the cutoff, \(cutOff.at.words); later ones are not counted yet" : period == nil ? " here" : ""
      let advice = period == nil ? "send" : "ask about another time, or send"
      warnings.append(
        Warning(
          "no_pushes",
          "the push server reported no push\(period ?? "")\(until); \(advice) pushSent events to measure them"))
    } else if mature == 0, isWhole {
      let came = rows.reduce(0) { $0 + ($1.states[PushState.delivered.rawValue] ?? 0) }
      let accepted = rows.reduce(0) { $0 + $1.accepted }
      warnings.append(
        accepted == 0
          ? Warning(
            "all_refused",
            "no push was accepted: the gateway refused \(grouped(sent)) of \(grouped(sent)), so none could arrive;"
              + " uptake diagnose says why where pushSent gives reasons")
          : Warning(
            "nothing_mature",
            "every \(accepted < sent ? "accepted " : "")push is younger than the horizon: no rate can be given yet; so far"
              + " \(grouped(came)) of \(grouped(accepted)) accepted are known to have arrived"))
    }
    let untold = rows.filter(\.areReceiptsMissing)
    if !untold.isEmpty {
      let isKnownOfSome = rows.contains { $0.mature > 0 && !$0.areReceiptsMissing }
      warnings.append(isKnownOfSome ? .receiptsMissing(of: untold.map(\.group)) : .noReceipts)
    }
    if rows.contains(where: { !$0.areReceiptsMissing && ($0.matureStates[PushState.lost.rawValue] ?? 0) > 0 }) {
      warnings.append(
        Warning(
          "lost_is_a_mixture",
          "lost pushes may have been throttled, or met an app that was force-quit or had background refresh switched off: these events cannot tell"
        ))
    }
    let told = rows.filter { !$0.areReceiptsMissing }.reduce(0) { $0 + $1.mature }
    let nameless = told - rows.reduce(0) { $0 + $1.credited.of }
    if nameless > 0 {
      warnings.append(
        Warning(
          "pushes_without_release",
          "\(nameless) of \(told) mature pushes name no release, so nobody can tell which led to an update: they are left out of"
            + " that share; send release with pushSent"))
    }
    if cutOff.isBackfilled { warnings.append(.backfilled) }
    return warnings
  }
}

extension Push {
  /// Where some clients report arrivals and many others do not: then pushes to these count as lost.
  fileprivate static func partly(_ counts: [PushCounts]) -> [Warning] {
    var all = PushCounts()
    for one in counts { all.add(one, times: 1) }
    guard all.unreceived >= Diagnosis.fewest, all.areReceiptsPartlyMissing else { return [] }
    return [
      Warning(
        "receipts_partly",
        "of \(grouped(all.brought)) devices that silent pushes brought a release, \(grouped(all.unreceived)) report no arrival:"
          + " their pushes count as lost, however many came; uptake push --by platform, or --by appVersion, shows where"
      )
    ]
  }
}

extension FleetScope {
  /// ` from 2025-03-01 08:00 UTC to …`, as asked for; nil where any time will do.
  fileprivate var periodWords: String? {
    switch (since?.words, until?.words) {
    case (let since?, let until?): " from \(since) to \(until)"
    case (let since?, nil): " since \(since)"
    case (nil, let until?): " before \(until)"
    case (nil, nil): nil
    }
  }
}

extension PushCounting: Counting {
  var start: PushTally { PushTally(self) }

  func covers(_ other: PushCounting) -> Bool {
    extent.countsAlike(other.extent) && options.by == other.options.by && options.horizon == other.options.horizon
      && !keepsOpen && !other.keepsOpen
  }
}

extension Push {
  /// Whether nothing is known of what arrived, though some pushes are old enough.
  public var areReceiptsMissing: Bool { lost.share.reason == .noReceipts }
}

extension Warning {
  /// Of pushes nothing is known but that they were sent.
  static let noReceipts = Warning(
    "no_receipts",
    "no device reports that a push arrived, so nobody knows what was lost: either clients do not send pushReceived, or wakeStarted"
      + " with the trigger silentPush, or pushes wake nobody; uptake push check says what is wrong with a payload")

  /// Of these groups it is known that pushes arrive, as these brought releases.
  static func receiptsMissing(of groups: [Labels]) -> Warning {
    let names = groups.map { group in
      group.parts.sorted { $0.key < $1.key }.map { named($0.value) }.joined(separator: " ")
    }
    return Warning(
      "no_receipts",
      "no device of \(names.joined(separator: ", ")) reports that a push arrived, and silent pushes brought releases there all the"
        + " same: nobody knows what was lost of these; let clients send pushReceived, or wakeStarted with the trigger silentPush"
    )
  }

  /// - Parameter channels: that were asked for.
  fileprivate static func namingOthers(_ devices: Int, _ channels: [String]) -> Warning {
    let names = channels.sorted().map { named($0) }.joined(separator: " and ")
    return Warning(
      "no_pushes",
      "the push server reported no push for \(names), and named another channel in pushes to \(counted(devices, "device")) of"
        + " it: a push that names none counts to production; send channel with pushSent")
  }
}

extension Push.Grouping: RawRepresentable, CaseIterable {
  public static let allCases = [channel, platform, release] + ProfileField.named.map(slice)

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
    case .channel: "channel"
    case .platform: "platform"
    case .release: "release"
    case .slice(let field): field.rawValue
    }
  }
}
