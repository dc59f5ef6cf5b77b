internal import Console
public import Lifecycle
public import Statistics
public import Store

/// Which mechanism brought the release to how many devices, how fast, and what the user's part in it was.
///
/// Mechanisms compete for the same devices, so their shares, what is unknown and those that still wait make 1. Nobody
/// assigned mechanisms to devices at random: only `experiment` compares what pushing causes.
public struct Mechanisms: Encodable, Sendable {
  public struct Share: Encodable, Sendable {
    /// A trigger, or `newerRelease` where a newer release competes.
    public var mechanism: String
    public var events: Int
    public var share: Estimate
    /// Where it has updated nobody yet: its share is at most this, at the answer's level.
    @Nullable public var atMost: Double?
    /// Where it has updated all: its share is at least this.
    @Nullable public var atLeast: Double?
  }
  public struct Difference: Encodable, Sendable {
    public var first: String
    public var second: String
    /// Of the first less that of the second, at the same age of the same devices.
    public var share: Estimate
  }
  public struct Age: Encodable, Sendable {
    public var seconds: Int64
    public var atRisk: Int
    public var shares: [Share]
    /// Those that still wait.
    public var waiting: Estimate
    /// Where nobody waits any more: the share is at most this, at the answer's level.
    @Nullable public var waitingAtMost: Double?
    public var differences: [Difference]
    public var isUnstable: Bool
  }
  /// How often one mechanism was the first against another: the ratio of their hazards among all that waited.
  public struct HazardRatio: Encodable, Sendable {
    public var first: String
    public var second: String
    public var firstEvents: Int
    public var secondEvents: Int
    public var ratio: Estimate
    @Nullable public var significance: Significance?
  }
  public struct Quantile: Encodable, Sendable {
    public var p: Double
    @Nullable public var seconds: Double?
  }
  public struct Delivery: Encodable, Sendable {
    /// Share of all devices that it had made ready by each age.
    public var shares: [TimeToUpdate.Share]
    /// When it had reached a share of all devices.
    public var quantiles: [TimeToUpdate.Quantile]
    /// When it had reached a share of those that it reached by the end of the data; no limits.
    public var amongDelivered: [Quantile]
  }
  public struct Launch: Encodable, Sendable {
    public var devices: Int
    public var applied: Int
    public var censored: Int
    public var quantiles: [TimeToUpdate.Quantile]
    public var restrictedMean: TimeToUpdate.RestrictedMean
  }
  /// From publication to ready is the mechanism's doing, from ready to applied the user's.
  public struct Leg: Encodable, Sendable {
    public var mechanism: String
    public var delivered: Int
    public var publishedToReady: Delivery
    public var readyToApplied: Launch
  }

  public var release: String
  public var publications: [PublicationRow]
  public var ages: [Age]
  public var hazardRatios: [HazardRatio]
  public var legs: [Leg]
  /// Updates of which nobody reported when they became ready.
  public var withoutDelivery: Int
  /// Where nobody saw when many devices updated: what is known of it. Shares are then estimated between the checks, unless newer
  /// releases compete; `readyToApplied` ends at the checks and is an upper bound.
  @Nullable public var polled: Polled?
  /// Null where the app marks no arms.
  @Nullable public var experiment: Experiment?
  public var ways: [Way]
}

extension Mechanisms: AskedOfRelease {
  public struct Options: QuestionOptions {
    public var ages: [Milliseconds] = [.hours(1), .hours(6), .hours(24), .hours(72), .hours(168)]
    public var quantiles = [0.5, 0.9]
    public var horizon = Milliseconds.hours(72)
    /// What the arms of an experiment were planned to be; nil where nobody says.
    public var arms: ArmRule?
    public init() {}
  }

  public struct Question: ReleaseAsking {
    public static let name = "mechanisms"
    let chosen: ReleaseScope
    let options: Options
    private let risk: RiskCounting
    private let background: BackgroundCounting
    /// Of all platforms together.
    private let pushes: PushCounting
    private let polled: PolledCount

    public init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Options = Options()) throws {
      (self.chosen, self.options) = (chosen, options)
      func counting(bounds: Bool) -> RiskCounting {
        RiskCounting(
          vocabulary, chosen, [chosen.target], Splits(chosen.selection).union(.arm), countsLegs: true,
          countsBounds: bounds)
      }
      risk = counting(bounds: false)
      background = try BackgroundCounting(vocabulary, chosen.selection)
      pushes = PushCounting(vocabulary, background.extent)
      polled = PolledCount(counting(bounds: true))
    }

    public var scope: any Scope { chosen.selection }
    public var counts: Counts { Counts(risk, background) }

    /// Besides, whether many devices report no arrival, where pushes of several platforms together are said to be lost.
    public func more(_ findings: Findings<Counted<Mechanisms>>, _ ledger: Ledger) -> Counts {
      let saysLost = findings.rows.contains { row in
        row.group.platform == nil && row.figures.ways.contains { $0.interference.tellsLosses }
      }
      let more: [any Counting] = saysLost ? [pushes] : []
      return Counts(polled.more(findings.rows.map(\.counts)).all + more)
    }

    public func findings(_ ledger: Ledger) -> Findings<Counted<Mechanisms>> {
      let selection = chosen.selection
      let counting = MechanismSums(
        ledger.known(polled.counting) ?? ledger[risk], by: selection.by,
        WaysOfDelivery(ledger[background], arePartlySilent: arePartlySilent(ledger), level: selection.level))
      let tables = counting.tables
      let (shown, withheld) = selection.sifted(tables.groups(by: selection.by)) { ($0.group, $0.cell.devices) }
      let rows = shown.map { group, cell in
        let side = polled.side(ledger, group, selection, cell.table)
        let counts = RiskCounts(cell)
        var figures = Mechanisms(
          group, cell, counting, chosen, options, isTimedByChecks: side != nil || counts.isTimedByChecks)
        if let side { figures.estimateBetweenChecks(side, selection) }
        return Counted(group: group, counts: counts, figures: figures)
      }
      let experiments = rows.compactMap(\.figures.experiment)
      let ofArms = experiments.lazy.map(\.warnings).first { !$0.isEmpty } ?? []
      let pushed = Warning.holdOutPushed(
        rows.filter { $0.figures.experiment != nil }.map { counting.holdOuts($0.group) }, selection.smallGroups)
      let untested = options.arms == nil ? nil : experiments.lazy.compactMap(\.untested).first
      return Findings(
        rows: rows, withheld: withheld,
        warnings: warnings(tables, chosen, at: options.ages) + [notRandomised] + ofArms
          + [pushed, untested, unnamed(rows.map(\.counts))].compactMap(\.self)
          + rows.compactMap(\.figures.polled).warnings(kept: kept(selection.estimand))
          + rows.map { (counts: $0.counts, isPolled: $0.figures.polled != nil) }.checkWarnings,
        dataThrough: tables.dataThrough,
        end: tables.cutOff,
        echo: [
          "atSeconds": .numbers(options.ages.map { $0.rawValue / 1000 }),
          "horizonSeconds": .integer(options.horizon.rawValue / 1000),
        ])
    }

    private func arePartlySilent(_ ledger: Ledger) -> Bool {
      ledger.known(pushes)?.groups.contains { $0.value.areReceiptsPartlyMissing } ?? false
    }
  }

  /// What is not estimated between checks.
  private static func kept(_ estimand: Estimand) -> String {
    "waits of the user and arms of an experiment" + (estimand == .asHappened ? ", " + Warning.polledMechanisms : "")
  }

  /// Where most updates name no mechanism, none of these tells what it brought. Few are those of somebody who tries a client out.
  private static func unnamed(_ rows: [RiskCounts]) -> Warning? {
    let (all, unnamed) = (rows.reduce(0) { $0 + $1.events }, rows.reduce(0) { $0 + $1.unnamedUpdates })
    guard all >= Diagnosis.fewest, unnamed * 2 > all else { return nil }
    return Warning(
      "mechanisms_unnamed",
      "\(grouped(unnamed)) of \(counted(all, "update")) name no mechanism, so what silent pushes and background refresh brought is not"
        + " known: let clients send trigger, or the header X-Uptake-Trigger where their protocol has no place for it")
  }

  static let notRandomised = Warning(
    "not_randomised",
    "devices are not assigned to mechanisms at random: shares and speeds describe the fleet, they do not say what would"
      + " happen without a mechanism; for that, hold silent pushes back from a random few (arm)")
}

extension RiskCounts {
  /// Updates of which no client said what brought them.
  public var unnamedUpdates: Int { eventsByMechanism[Trigger.unknown.rawValue] ?? 0 }
}
