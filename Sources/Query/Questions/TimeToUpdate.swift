public import Lifecycle
public import Statistics
public import Store

/// How long devices take to update: survival curves, quantiles, restricted means, and what each mechanism delivered.
public struct TimeToUpdate: Encodable, Sendable {
  public struct Quantile: Encodable, Sendable {
    public var p: Double
    public var seconds: Estimate
  }
  public struct RestrictedMean: Encodable, Sendable {
    public var horizonSeconds: Int64
    /// Mean time without the update within the horizon.
    public var seconds: Estimate
  }
  public struct Point: Encodable, Sendable {
    public var seconds: Int64
    public var atRisk: Int
    public var events: Int
    /// F: the share that had updated by then.
    public var share: Estimate
    /// One update more would move the estimate by over a thirtieth (3.3 pp), here or at an update before.
    public var isUnstable: Bool
  }
  /// One mechanism's part: by t it had delivered the release to this share of devices. All parts and the rest make 1.
  public struct MechanismShare: Encodable, Sendable {
    public var mechanism: String
    public var events: Int
    @Drawn public var curve: [Share]
    public var quantiles: [Quantile]

    init(mechanism: String, events: Int, curve: Drawn<Share>, quantiles: [Quantile]) {
      (self.mechanism, self.events, self.quantiles) = (mechanism, events, quantiles)
      _curve = curve
    }
  }
  /// Where devices left without the update, so many since the mark before.
  public struct CensorMark: Encodable, Sendable {
    public var seconds: Int64
    public var devices: Int
  }
  public struct Share: Encodable, Sendable {
    public var seconds: Int64
    public var share: Estimate
  }

  public var group: Group
  public var counts: RiskCounts
  public var quantiles: [Quantile]
  public var restrictedMean: RestrictedMean
  /// Null where no points were asked for, as those of the mechanisms.
  @Drawn public var curve: [Point]
  public var mechanisms: [MechanismShare]
  /// Where nobody saw when many devices updated: what is known of it. Quantiles, mean and curve are then estimated between
  /// the checks.
  @Nullable public var polled: Polled?
  /// Between which ages limits of the curve and of its quantiles hold together; null where they are of each age, or where too
  /// little is known.
  @Nullable public var band: Band?
  /// A few, each for as many devices.
  public var censorMarks: [CensorMark]
  /// The last second with at least 30 devices at risk before the first update among fewer; null where there is none.
  @Nullable public var stableUntilSeconds: Int64?
  /// From here on one more update would move the curve by more than one percentage point.
  @Nullable public var fadesFromSeconds: Int64?

  private enum Keys: String, CodingKey {
    case group, quantiles, restrictedMean, curve, mechanisms, polled, band, censorMarks, stableUntilSeconds,
      fadesFromSeconds
  }

  /// The counts stand beside the estimates, not in an object of their own.
  public func encode(to encoder: any Encoder) throws {
    try counts.encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(group, forKey: .group)
    try container.encode(quantiles, forKey: .quantiles)
    try container.encode(restrictedMean, forKey: .restrictedMean)
    try container.encode(_curve, forKey: .curve)
    try container.encode(mechanisms, forKey: .mechanisms)
    try container.encode(_polled, forKey: .polled)
    try container.encode(_band, forKey: .band)
    try container.encode(censorMarks, forKey: .censorMarks)
    try container.encode(_stableUntilSeconds, forKey: .stableUntilSeconds)
    try container.encode(_fadesFromSeconds, forKey: .fadesFromSeconds)
  }
}

extension TimeToUpdate: AskedOfRelease {
  /// What to print of each group.
  public struct Options: QuestionOptions {
    public var quantiles = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95]
    public var horizon = Milliseconds.hours(72)
    /// A curve of more points is thinned to this many; 0 leaves curves out.
    public var points = 1000
    public var bands = Bands.pointwise
    public init() {}
  }

  public struct Question: ReleaseAsking {
    public static let name = "time-to-update"
    let chosen: ReleaseScope
    let options: Options
    private let risk: RiskCounting
    private let polled: PolledCount

    public init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Options = Options()) {
      (self.chosen, self.options) = (chosen, options)
      risk = RiskCounting(vocabulary, chosen, [chosen.target])
      polled = PolledCount(vocabulary, chosen, chosen.target)
    }

    public var scope: any Scope { chosen.selection }
    public var counts: Counts { Counts(risk) }

    public func more(_ findings: Findings<TimeToUpdate>, _ ledger: Ledger) -> Counts {
      polled.more(findings.rows.map(\.counts))
    }

    public func findings(_ ledger: Ledger) -> Findings<TimeToUpdate> {
      let (selection, tables) = (chosen.selection, polled.tables(ledger, else: ledger[risk].tables[0]))
      let (shown, withheld) = selection.sifted(tables.groups(by: selection.by)) { ($0.group, $0.cell.devices) }
      let rows = shown.map { group, cell in
        var row = TimeToUpdate(group, cell, selection, options)
        let side = polled.side(ledger, group, selection, cell.table)
        if let side { row.estimateBetweenChecks(side, options, selection) }
        return row
      }
      let unreached = Self.unreachedAges(zip(rows, shown).map { (figures: $0, table: $1.cell.table) })
      return Findings(
        rows: rows, withheld: withheld,
        warnings: warnings(tables, chosen, at: unreached) + rows.map(\.counts).newerWarnings
          + rows.compactMap(\.polled).warnings(kept: selection.estimand == .asHappened ? Warning.polledMechanisms : "")
          + rows.map { (counts: $0.counts, isPolled: $0.polled != nil) }.checkWarnings,
        dataThrough: tables.dataThrough, end: tables.cutOff,
        echo: [
          "horizonSeconds": .integer(options.horizon.rawValue / 1000), "bands": .text(options.bands.rawValue),
        ])
    }

    /// Where a share is not reached, an age that is notably shorter than some devices were followed for: parts that were not followed
    /// to it may be why.
    private static func unreachedAges(_ rows: [(figures: TimeToUpdate, table: LifeTable)]) -> [Milliseconds] {
      rows.compactMap { figures, table -> Milliseconds? in
        guard figures.quantiles.contains(where: { $0.seconds.value == nil }) else { return nil }
        return table.lastTick.map { Milliseconds.seconds($0 * 4 / 5) }
      }
    }
  }

  init(_ group: Group, _ cell: RiskTable, _ selection: Selection, _ options: Options) {
    let incidence = AalenJohansen(cell.table)
    // The curve of all causes, unless newer releases compete.
    let isWhole = incidence.causes.allSatisfy(selection.successes.contains)
    let curve = isWhole ? incidence.overall : KaplanMeier(cell.table, events: selection.successes)
    self.group = group
    counts = RiskCounts(cell)
    let limits = curve.limits(options.bands, level: selection.level)
    quantiles = curve.quantiles(options.quantiles, limits).enumerated().map {
      Quantile(p: options.quantiles[$0], seconds: $1)
    }
    let horizon = options.horizon.rawValue / 1000
    restrictedMean = RestrictedMean(
      horizonSeconds: horizon, seconds: curve.meanWait(to: horizon, level: selection.level))
    _curve = .of(options.points) { curve.standings(atMost: $0).map { Point($0, limits) } }
    _band = Nullable(wrappedValue: Band(limits))
    mechanisms = Self.shares(incidence, selection, options)
    censorMarks = cell.table.censorMarks(15).map { CensorMark(seconds: $0.tick, devices: Int($0.censored)) }
    _stableUntilSeconds = Nullable(wrappedValue: curve.stableUntil)
    _fadesFromSeconds = Nullable(wrappedValue: curve.fadeTick())
  }

  /// Puts estimates between the checks in the place of those that take the check for the update.
  private mutating func estimateBetweenChecks(_ side: PolledSide, _ options: Options, _ selection: Selection) {
    let level = selection.level
    let limits = side.curve.limits(options.bands, level: level)
    quantiles = quantiles.map { Quantile(p: $0.p, seconds: side.curve.time($0.p, limits)) }
    restrictedMean.seconds = side.curve.meanWait(to: restrictedMean.horizonSeconds, level: level)
    for index in curve.indices { curve[index].share = side.curve.share(at: curve[index].seconds, limits) }
    band = Band(limits)
    polled = side.figures(points: options.points, limits)
    // A newer release is an end without the update between checks: as a cause of its own it is known at checks only.
    guard selection.estimand != .asHappened else { return }
    mechanisms = onAllCores(mechanisms) { $0.betweenChecks(side.shares, options.bands, level) }
  }

  private static func shares(
    _ incidence: AalenJohansen, _ selection: Selection, _ options: Options
  ) -> [MechanismShare] {
    onAllCores(incidence.causes) { cause in
      let limits = incidence.limits(options.bands, of: cause, level: selection.level)
      return MechanismShare(
        mechanism: cause.word, events: Int(incidence.table.events(cause)),
        curve: .of(options.points) { points in
          incidence.incidence(of: cause, atMost: points, limits).map { Share(seconds: $0.at, share: $0.share) }
        },
        quantiles: zip(options.quantiles, incidence.quantiles(options.quantiles, of: cause, limits)).map {
          Quantile(p: $0, seconds: $1)
        })
    }
  }
}

extension TimeToUpdate.Point {
  init(_ standing: KaplanMeier.Standing, _ limits: CurveLimits) {
    self.init(
      seconds: standing.tick, atRisk: Int(standing.atRisk), events: Int(standing.events),
      share: standing.adoption(limits),
      isUnstable: standing.isUnstable)
  }
}

extension TimeToUpdate.MechanismShare {
  fileprivate func betweenChecks(_ shares: PolledShares, _ bands: Bands, _ level: Double) -> Self {
    guard let cause = Trigger(rawValue: mechanism)?.cause else { return self }
    let limits =
      bands == .pointwise ? CurveLimits.pointwise(level: level) : shares.simultaneousLimits(of: cause, level: level)
    var copy = self
    copy.curve = curve.map { .init(seconds: $0.seconds, share: shares.share(of: cause, at: $0.seconds, limits)) }
    copy.quantiles = quantiles.map { .init(p: $0.p, seconds: shares.time($0.p, of: cause, limits)) }
    return copy
  }
}
