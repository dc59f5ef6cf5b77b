internal import Console
public import Lifecycle
public import Statistics
public import Store

/// How often first attempts fail and launched releases are rolled back, and whether to stop or to go on.
///
/// The unit is the device. Only its first attempt counts, and only once it is old enough: failures report faster than
/// successes, so without a fixed age early numbers would be too high. An attempt fails when it is reported as failed
/// within `attemptAge` of its start, or rolled back or crashed within `rollbackAge` of its launch.
public struct Failures: Encodable, Sendable {
  /// Some of the devices that failed, by what they said was the reason.
  public struct Reason: Encodable, Sendable {
    public var reason: String
    public var devices: Int
    /// Of all first attempts that were looked at for it.
    public var rate: Estimate
  }

  /// The same rate of the release before, and how far apart the two are.
  public struct Previous: Encodable, Sendable {
    public var release: String
    public var attempts: Int
    public var failed: Int
    public var rate: Estimate
    /// This release less the one before.
    public var difference: Estimate
    public var ratio: Estimate
    /// Fisher's exact test, where a cell is too small for the other limits.
    @Nullable public var fisherP: Double?
  }

  public var group: Group
  @Nullable public var mechanism: String?
  /// Devices that began an attempt at least `attemptAge` ago.
  public var attempts: Int
  /// Devices whose first attempt is too young to be counted.
  public var tooYoung: Int
  public var failed: Int
  public var rate: Estimate
  /// Of the attempts, those whose patch failed and that fetched the whole release in its place; they are not failed.
  public var retried: Int
  /// Of the failed, devices that got the release in another attempt.
  public var recovered: Int
  public var reasons: [Reason]
  /// Reasons that too few devices gave to be shown.
  public var reasonsWithheld: Int
  /// The same of all attempts that failed so far, however young.
  public var reasonsSoFar: [Reason]
  public var reasonsSoFarWithheld: Int
  /// Devices that launched the release at least `rollbackAge` ago: that applied it, said that they run it, or were rolled
  /// back from it or crashed without having said so.
  public var applies: Int
  public var appliesTooYoung: Int
  public var rolledBack: Int
  public var rollbackRate: Estimate
  @Nullable public var previous: Previous?
  public var stopRule: StopRule
}

extension Failures: AskedOfRelease {
  public struct Options: QuestionOptions {
    public var attemptAge = Milliseconds.hours(1)
    public var rollbackAge = Milliseconds.hours(24)
    /// nil: from the past five releases.
    public var limit: Double?
    public var alpha = 0.05
    public init() {}
  }

  public struct Question: ReleaseAsking {
    public static let name = "failures"
    let chosen: ReleaseScope
    private(set) var options: Options
    private let past: [ReleaseRecord]
    /// On this release, then on those before unless these are counted apart.
    private let attempts: AttemptCounting
    /// On those before, where they came to more channels or platforms than this one.
    private let before: AttemptCounting?

    public init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Options = Options()) {
      self.init(vocabulary, chosen, options, keepsPlatforms: false)
    }

    /// - Parameter keepsPlatforms: whether an answer that is not split is to be known platform by platform, too.
    init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Options, keepsPlatforms: Bool) {
      (self.chosen, self.options) = (chosen, options)
      let own = chosen.onItsPlaces
      let there = chosen.past.contains { chosen.came($0, beyond: own.selection) } ? own.past : []
      past = there.isEmpty ? chosen.past : there
      before =
        there.isEmpty ? nil : AttemptCounting(vocabulary, own, there, options, keepsPlatforms: keepsPlatforms)
      attempts = AttemptCounting(
        vocabulary, chosen, [chosen.target] + (there.isEmpty ? past : []), options, keepsLooks: true,
        keepsPlatforms: keepsPlatforms)
    }

    public var scope: any Scope { chosen.selection }
    public var counts: Counts { Counts([attempts] + [before].compactMap(\.self)) }
    /// The same, held against another limit.
    func with(limit: Double) -> Question {
      var other = self
      other.options.limit = limit
      return other
    }

    /// Where the data end for it.
    var cutOff: Timestamp { attempts.cutOff.at }

    private func history(_ ledger: Ledger) -> AttemptHistory {
      AttemptHistory(own: ledger[attempts], before: before.map { ledger[$0] })
    }

    /// Where they are kept, by name.
    func platforms(_ ledger: Ledger) -> [PlatformAttempts] { history(ledger).platforms(past.count) }

    public func findings(_ ledger: Ledger) -> Findings<Failures> {
      let found = history(ledger)
      let groups = found.groups
      let rows = groups.map { row($0, found, chosen, past, options, cells: groups.count) }
      let sifted = chosen.selection.sifted(rows) { ($0.group, $0.attempts + $0.tooYoung) }
      return Findings(
        rows: sifted.shown, withheld: sifted.withheld, warnings: found.own.warnings(chosen) + narrowed + platformsApart,
        dataThrough: found.own.dataThrough, end: found.own.cutOff, echo: options.echo)
    }

    /// Attempts on a platform that got it days later are few beside those of the others, which hide what goes on there.
    private var platformsApart: [Warning] {
      guard !chosen.selection.by.contains(.platform) else { return [] }
      return chosen.comingsApart.prefix(1).map { channel, first, last in
        Warning(
          "platforms_apart",
          "\(named(chosen.target.label.rawValue)) came to \(named(first.platform)) on \(named(channel)) at \(first.at.words) and to"
            + " \(named(last.platform)) \(lengthWords(last.at - first.at)) later: attempts of all platforms count together, so what"
            + " fails on \(named(last.platform)) hides among the others; ask with --by platform")
      }
    }

    /// The limit, and the release before, are not those of all devices.
    private var narrowed: [Warning] {
      guard before != nil else { return [] }
      let release = named(chosen.target.label.rawValue)
      return [
        Warning(
          "past_narrowed",
          "past releases are looked at on \(chosen.onItsPlaces.places) alone, where \(release) came: devices elsewhere may fail more"
            + " often, or less")
      ]
    }
  }

  private static func row(
    _ key: Attempts.Key, _ found: AttemptHistory, _ chosen: ReleaseScope, _ past: [ReleaseRecord], _ options: Options,
    cells: Int
  ) -> Failures {
    let (own, level) = (found.own.counts(key, 0), chosen.selection.level)
    let history = past.indices.map { found.past(key, $0) }
    let attempts = Proportion(Int64(own.failed), of: Int64(own.attempts))
    let reasons = chosen.selection.sifted(own.reasons, of: own.attempts)
    let soFar = chosen.selection.sifted(own.reasons.merging(own.youngReasons, uniquingKeysWith: +), of: own.tried)
    return Failures(
      group: key.group, mechanism: key.mechanism?.rawValue, attempts: own.attempts,
      tooYoung: own.tooYoung, failed: own.failed, rate: attempts.wilson(level: level),
      retried: own.retried, recovered: own.recovered,
      reasons: reasons.shown, reasonsWithheld: reasons.withheld,
      reasonsSoFar: soFar.shown, reasonsSoFarWithheld: soFar.withheld,
      applies: own.applies, appliesTooYoung: own.appliesTooYoung, rolledBack: own.rolledBack,
      rollbackRate: Proportion(Int64(own.rolledBack), of: Int64(own.applies)).wilson(level: level),
      previous: past.isEmpty ? nil : Previous(past[0].label.rawValue, attempts, history[0], level: level),
      stopRule: StopRule(
        own, past: history, options, alpha: options.alpha / Double(max(cells, 1)), level: level,
        AttemptTest.Watched(
          own: found.own.harm(key, 0), past: past.indices.map { found.pastHarm(key, $0) },
          looks: found.own.looks(since: chosen.reopenedAt, until: chosen.haltedAt), options)))
  }
}

extension AttemptCounts {
  fileprivate var tried: Int { attempts + tooYoung }
}

extension Selection {
  /// The most frequent first.
  fileprivate func sifted(_ reasons: [String: Int], of attempts: Int) -> (shown: [Failures.Reason], withheld: Int) {
    let sifted = smallGroups.sifted(reasons.map { (reason: $0.key, devices: $0.value) }) { $0.devices }
    let shown = sifted.shown.sorted { ($1.devices, $0.reason) < ($0.devices, $1.reason) }.map { reason, devices in
      let share = Proportion(Int64(devices), of: Int64(attempts))
      return Failures.Reason(reason: reason, devices: devices, rate: share.wilson(level: level))
    }
    return (shown, sifted.withheld)
  }
}

extension ReleaseScope {
  /// The releases that say what is usual, the newest first.
  fileprivate var past: [ReleaseRecord] { Array(timeline.precedents(of: target, selection).prefix(5)) }
}

extension Failures.Options {
  fileprivate var echo: [String: QueryEcho.Value] {
    [
      "attemptAgeSeconds": .integer(attemptAge.rawValue / 1000),
      "rollbackAgeSeconds": .integer(rollbackAge.rawValue / 1000),
      "limit": limit.map { .number($0) } ?? .none, "alpha": .number(alpha),
    ]
  }
}

extension Failures.Previous {
  fileprivate init(_ release: String, _ own: Proportion, _ tally: AttemptCounts, level: Double) {
    let past = Proportion(Int64(tally.failed), of: Int64(tally.attempts))
    let pair = ProportionPair(own, past)
    self.init(
      release: release, attempts: tally.attempts, failed: tally.failed, rate: past.wilson(level: level),
      difference: pair.difference(level: level), ratio: pair.ratio(level: level),
      fisherP: pair.isSparse ? pair.fisherExact?.value : nil)
  }
}
