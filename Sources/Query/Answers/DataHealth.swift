public import Lifecycle
public import Store

/// What is known of an app's events themselves: how they came in, and what lowers trust in numbers that rest on them.
///
/// By what is counted already; no device is gone through for it.
public struct DataHealth: Encodable, Equatable, Sendable {
  /// What was received on a day, UTC, of all devices; imports that do not say when are in none.
  public struct Day: Encodable, Equatable, Sendable {
    /// When it began.
    public var day: Timestamp
    public var events: Int
    /// Of these, those that do not say when they happened: how late they came, nobody knows.
    public var timeless: Int
    /// Of the others, those that came longer than `lateAfterSeconds` after they happened; by delays that are stored rounded up.
    public var late: Int
    /// Null where all are timeless, or nothing came.
    @Nullable public var lateShare: Double?
    /// Received more than five minutes before they say that they happened. A clock that is behind looks like a late event.
    public var ahead: Int
  }

  /// When an event of a device was last received.
  public struct Receipt: Encodable, Equatable, Sendable {
    public var at: Timestamp
    /// More than its day is not kept: `at` is the latest that it can have been.
    public var isOnlyDay: Bool
    /// Events that do not say when they were received were stored since.
    public var isBeforeImports: Bool
  }

  /// Of the newest events up to the cutoff, those that another one under another id equals.
  public struct Repeats: Encodable, Equatable, Sendable {
    public var count: Int
    public var of: Int
  }

  /// So many days are told of.
  public static let mostDays = 7

  /// The newest first, up to the last on which something was received, with those between on which nothing was; empty where
  /// no event says when it was received.
  public var days: [Day]
  /// The day of an earlier present, which is in none of `days`: what came is counted by whole days, and some came after it.
  @Nullable public var cutDay: Timestamp? = nil
  public var lateAfterSeconds = CutOff.longestUsualLag
  @Nullable public var lastReceived: Receipt?
  /// Null where no single events are at hand.
  @Nullable public var repeats: Repeats?
  /// That devices name, and those of them that nobody registered.
  public var releases: Int
  public var unregistered: Int
  /// What lowers trust in the numbers.
  public var warnings: [Warning]
}

extension DataHealth {
  /// - Parameters:
  ///   - glance: of all releases; its warnings are about all of the app's numbers.
  ///   - findings: those about the data are among what lowers trust.
  public init(
    _ vocabulary: Vocabulary, app: String, now: Timestamp, receipt: NewestReceipt?, repeats: Repeats?,
    glance: Answer<Releases>, findings: Answer<Diagnosis>
  ) {
    let today = now.seconds / 86_400
    let arrivals = vocabulary.lags.filter { $0.app == app && $0.day <= today && $0.events > 0 }
    let isCut = receipt?.hasLater == true && arrivals.contains { $0.day == today }
    let named = Timeline(vocabulary, app: app, until: now).releases.filter { !$0.sightings.isEmpty }
    self.init(
      days: Self.days(arrivals.filter { !isCut || $0.day < today }),
      cutDay: isCut ? Timestamp(seconds: today * 86_400) : nil,
      lastReceived: receipt.map { Receipt($0, arrivals, now: now) }, repeats: repeats,
      releases: named.count, unregistered: named.count { $0.publications.isEmpty },
      warnings: Self.silence(receipt, glance, now: now) + glance.warnings.filter { Self.codes.contains($0.code) }
        + findings.data.filter { Self.names.contains($0.finding) }.map { Warning($0.finding.rawValue, $0.sentence) })
  }

  private static func days(_ arrivals: [ArrivalLag]) -> [Day] {
    guard let first = arrivals.map(\.day).min(), let last = arrivals.map(\.day).max() else { return [] }
    let byDay = Dictionary(grouping: arrivals.filter { $0.day > last - Int64(mostDays) }, by: \.day)
    return stride(from: last, through: max(first, last - Int64(mostDays) + 1), by: -1).map { Day($0, byDay[$0] ?? []) }
  }

  /// What answers warn of that is about the data themselves.
  private static let codes: Set = [
    Warning.silentFleet, Warning.clocksShifted, Warning.cutOffOfFew, Warning.cutOffLate, Warning.backfilled.code,
    Warning.inferredPublication, Warning.doubtfulPublication,
  ]
  private static let names: Set<Diagnosis.Name> = [
    .publicationWrong, .clocksWrong, .idsChange, .duplicates, .devicesMadeUp,
  ]

  /// Where the warning that says what is usual is not there.
  private static func silence(_ receipt: NewestReceipt?, _ glance: Answer<Releases>, now: Timestamp) -> [Warning] {
    if glance.warnings.contains(where: { $0.code == Warning.silentFleet }) { return [] }
    return AppSilence(receipt, glance.dataThrough, now: now).map { [Warning("silence", $0.words)] } ?? []
  }
}

extension DataHealth.Day {
  fileprivate init(_ day: Int64, _ arrivals: [ArrivalLag]) {
    func sum(_ isCounted: (ArrivalLag) -> Bool) -> Int {
      arrivals.reduce(0) { isCounted($1) ? $0 + Int($1.events) : $0 }
    }
    let (events, timeless) = (sum { _ in true }, sum { !$0.isKnown })
    let late = sum { $0.late > CutOff.longestUsualLag }
    self.init(
      day: Timestamp(seconds: day * 86_400), events: events, timeless: timeless, late: late,
      lateShare: events > timeless ? Double(late) / Double(events - timeless) : nil,
      ahead: sum { $0.isKnown && $0.seconds < 0 })
  }
}

extension DataHealth.Receipt {
  fileprivate init(_ newest: NewestReceipt, _ arrivals: [ArrivalLag], now: Timestamp) {
    let dayEnd = arrivals.map(\.day).max().map { min(now, Timestamp(seconds: ($0 + 1) * 86_400)) }
    self.init(at: newest.at, isOnlyDay: newest.at == dayEnd, isBeforeImports: newest.isBeforeImports)
  }
}
