public import Lifecycle
public import Statistics
public import Store

/// What share of the devices had updated by some ages, beside the release before at the same ages.
public struct Adoption: Encodable, Sendable {
  /// What is simply seen, without anybody who left being accounted for: it is not an estimate of adoption.
  public struct Observed: Encodable, Sendable {
    public var updated: Int
    public var devices: Int
    @Nullable public var share: Double?
  }
  public struct Age: Encodable, Sendable {
    public var seconds: Int64
    public var atRisk: Int
    /// Updates so far.
    public var events: Int
    public var share: Estimate
    /// Where nothing has happened yet: the share is at most this, at the answer's level.
    @Nullable public var atMost: Double?
    /// Where all that were at risk have updated: the share is at least this, at the answer's level.
    @Nullable public var atLeast: Double?
    /// The share with limits that hold at all looks together.
    public var always: Estimate
    public var observed: Observed
    /// One update more would move the estimate by over a thirtieth (3.3 pp), here or at an update before.
    public var isUnstable: Bool
    /// The release before at the same age; null where there is none.
    @Nullable public var baseline: Estimate?
    /// As `atMost` and `atLeast`, of the release before.
    @Nullable public var baselineAtMost: Double?
    @Nullable public var baselineAtLeast: Double?
    /// This release less the one before.
    @Nullable public var difference: Estimate?
    /// Why there is no share, or no limits of it.
    @Nullable public var reason: String?
  }
  /// Mean time without the update within a horizon; of this release, of the one before, and the difference.
  public struct RestrictedMean: Encodable, Sendable {
    public var horizonSeconds: Int64
    public var seconds: Estimate
    @Nullable public var baseline: Estimate?
    /// Negative is faster.
    @Nullable public var difference: Estimate?
  }
  /// The release that this one is held against.
  public struct Reference: Encodable, Sendable {
    public var release: String
    public var devices: Int
    public var events: Int
    public var curve: Curve
    public var publications: [PublicationRow]
    let counts: RiskCounts

    private enum CodingKeys: CodingKey {
      case release, devices, events, curve, publications
    }
  }

  public var release: String
  public var publications: [PublicationRow]
  public var ages: [Age]
  public var restrictedMeans: [RestrictedMean]
  public var median: Estimate
  public var curve: Curve
  /// Between which ages the limits of the curve, its shares and its median hold together; null where they are of each age, or
  /// where too little is known.
  @Nullable public var band: Band?
  /// Where nobody saw when many devices updated: what is known of it. Shares, median and means are then estimated between
  /// the checks.
  @Nullable public var polled: Polled?
  @Nullable public var baseline: Reference?
}

extension Adoption: AskedOfRelease {
  public struct Options: QuestionOptions {
    public var ages: [Milliseconds] = [.hours(1), .hours(6), .hours(24), .hours(72), .hours(168)]
    public var baseline = Baseline.auto
    /// The most points of a curve.
    public var points = 300
    public var bands = Bands.pointwise
    public init() {}
  }

  static let horizons: [Tick] = [24, 72, 168].map { $0 * 3600 }

  public struct Question: ReleaseAsking {
    public static let name = "adoption"
    let chosen: ReleaseScope
    let options: Options
    private let baselines: Baselines
    /// Of this release, then of those that it is held against.
    private let risk: RiskCounting
    private let polled: PolledCount
    private let polledBefore: [PolledCount]
    private let strays: [Warning]

    public init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Options = Options()) throws {
      (self.chosen, self.options) = (chosen, options)
      baselines = try Baselines(options.baseline, chosen)
      risk = RiskCounting(vocabulary, chosen, [chosen.target] + baselines.releases)
      polled = PolledCount(vocabulary, chosen, chosen.target)
      polledBefore = baselines.releases.map { PolledCount(vocabulary, chosen, $0) }
      strays = Warning.strays(
        vocabulary, app: chosen.selection.app, now: chosen.selection.now, about: [chosen.target.label.rawValue],
        on: chosen.selection.channels)
    }

    public var scope: any Scope { chosen.selection }
    public var counts: Counts { Counts(risk) }

    public func more(_ findings: Findings<Counted<Adoption>>, _ ledger: Ledger) -> Counts {
      let before = findings.rows.compactMap(\.figures.baseline)
      let more = zip(baselines.releases, polledBefore).flatMap { record, polled in
        polled.more(before.filter { $0.release == record.label.rawValue }.map(\.counts)).all
      }
      return Counts(polled.more(findings.rows.map(\.counts)).all + more)
    }

    /// The platforms of this release, the one followed for the shortest time first.
    func platforms(_ ledger: Ledger) -> [FollowedPart] { ledger[risk].tables[0].followed(by: \.platform) }

    public func findings(_ ledger: Ledger) -> Findings<Counted<Adoption>> {
      let selection = chosen.selection
      let tables = zip([polled] + polledBefore, ledger[risk].tables).map { $0.tables(ledger, else: $1) }
      let others = zip(baselines.releases, tables.dropFirst()).map { (record: $0, tables: $1) }
      let (shown, withheld) = selection.sifted(tables[0].parts(by: selection.by)) {
        ($0.group, $0.cells.reduce(0) { $0 + $1.devices })
      }
      let rows = onAllCores(shown) { row($0, $1, tables[0], others, ledger) }
      return Findings(
        rows: rows, withheld: withheld,
        warnings: Query.warnings(tables[0], chosen, at: options.ages) + strays + warnings(others.map(\.record))
          + unlike(tables[0], others, rows) + pausedBefore(others, rows)
          + rows.map(\.counts).newerWarnings
          + rows.compactMap(\.figures.polled).warnings()
          + rows.map { (counts: $0.counts, isPolled: $0.figures.polled != nil) }.checkWarnings,
        dataThrough: tables[0].dataThrough, end: tables[0].cutOff, echo: echo)
    }

    private func row(
      _ group: Group, _ cells: [RiskCell], _ tables: RiskTables,
      _ others: [(record: ReleaseRecord, tables: RiskTables)], _ ledger: Ledger
    ) -> Counted<Adoption> {
      let selection = chosen.selection
      let channel = tables.mainChannel(group, by: selection.by)
      let baseline = channel.flatMap { baselines.byChannel[$0] }
      let other = others.first { $0.record.id == baseline?.id }
      // This release and the one before at once: there may be no other group to do meanwhile.
      let parts = [cells] + (other.map { [$0.tables.parts(of: group, by: selection.by)] } ?? [])
      let sides = onAllCores(parts.unpacked()) { Side($0, selection, options) }
      var figures = Adoption(group, sides, tables, chosen, options, other)
      let before = baselines.releases.firstIndex { $0.id == baseline?.id }.map { polledBefore[$0] }
      let between = zip([polled] + [before].compactMap(\.self), sides).map {
        $0.side(ledger, group, selection, $1.cell.table)
      }
      figures.estimateBetweenChecks(between, sides, options, selection.level)
      return Counted(group: group, counts: RiskCounts(sides[0].cell), figures: figures)
    }

    private var echo: [String: QueryEcho.Value] {
      let baseline: QueryEcho.Value =
        switch options.baseline {
        case .auto: .text("auto")
        case .none: .text("none")
        case .release(let label): .text(label.rawValue)
        }
      return [
        "atSeconds": .numbers(options.ages.map { $0.rawValue / 1000 }), "baseline": baseline,
        "provisional": .flag(chosen.selection.isProvisional), "bands": .text(options.bands.rawValue),
      ]
    }

    /// Of the releases that some row is held against.
    private func unlike(
      _ tables: RiskTables, _ others: [(record: ReleaseRecord, tables: RiskTables)], _ rows: [Counted<Adoption>]
    ) -> [Warning] {
      let shown = Set(rows.compactMap(\.figures.baseline?.release))
      let warnings = others.filter { shown.contains($0.record.label.rawValue) }.flatMap { other in
        placesWarning(tables, of: chosen.target, other.tables, of: other.record, by: chosen.selection.by)
      }
      return Array(warnings.prefix(1))
    }

    /// Held against one that stood at 0 % a release seems fast.
    private func pausedBefore(
      _ others: [(record: ReleaseRecord, tables: RiskTables)], _ rows: [Counted<Adoption>]
    ) -> [Warning] {
      let shown = Set(rows.compactMap(\.figures.baseline?.release))
      return others.filter { shown.contains($0.record.label.rawValue) }
        .flatMap { pauseWarning($0.tables, of: $0.record, until: chosen.selection.now) }
    }

    private func warnings(_ found: [ReleaseRecord]) -> [Warning] {
      guard options.baseline == .auto, found.isEmpty else { return [] }
      return [
        Warning("no_baseline", "no earlier release of the channel is known, so there is nothing to compare with")
      ]
    }
  }
}
