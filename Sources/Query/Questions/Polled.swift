import Console
public import Statistics
import Store

/// What stands beside figures of devices that only check: their times lie between two contacts, and are estimated there.
public struct Polled: Encodable, Sendable {
  public struct Point: Encodable, Sendable {
    public var seconds: Int64
    public var share: Estimate
    /// What it would be with every update as late as it can have been: at the check that showed it.
    public var latest: Double
    /// The same with every update right after the check before.
    public var earliest: Double
  }
  /// Updates of which only bounds are known.
  public var updates: Int
  /// Of all that are known.
  public var of: Int
  public var share: Double
  /// Half of the bounds are at most so far apart.
  @Nullable public var medianGapSeconds: Int64?
  @Drawn public var curve: [Point]

  init(
    updates: Int, of all: Int, share: Double, medianGapSeconds: Int64?, curve: Drawn<Point>
  ) {
    (self.updates, of, self.share) = (updates, all, share)
    (_medianGapSeconds, _curve) = (Nullable(wrappedValue: medianGapSeconds), curve)
  }
}

/// Devices of one release in one group, where nobody saw when many of them updated.
struct PolledSide {
  let bounds: UpdateBounds
  private let times: PolledTimes
  let curve: PolledCurve
  /// Of mechanisms.
  var shares: PolledShares { PolledShares(times, curve) }

  /// nil where most times are known, or the curve cannot be found.
  ///
  /// - Parameter table: of the same devices, which takes the check for the update.
  init?(_ bounds: UpdateBounds, _ table: LifeTable?) {
    guard bounds.areNotable else { return nil }
    (self.bounds, times) = (bounds, bounds.placed)
    curve = PolledCurve(
      times, until: table?.lastTick, allParts: table?.followedTo, doubt: table?.doubt,
      seen: table.map { KaplanMeier($0, events: .updates) })
    if !curve.isCertain { return nil }
  }

  func figures(points: Int, _ limits: CurveLimits) -> Polled {
    Polled(
      updates: bounds.open, of: bounds.updates, share: Double(bounds.open) / Double(bounds.updates),
      medianGapSeconds: bounds.gaps.quantile(0.5), curve: .of(points) { steps(atMost: $0, limits) })
  }

  /// A third of them for each of the three lines, where these rise, so that none is far off between two.
  private func steps(atMost points: Int, _ limits: CurveLimits) -> [Polled.Point] {
    let (earliest, latest) = (times.outer(.earliest), times.outer(.latest))
    let part = max(2, (min(points, 100_000) - 2) / 3)
    let own = curve.ticks(atMost: part)
    let ticks = Set([0, curve.lastTick] + own + earliest.ticks(atMost: part) + latest.ticks(atMost: part))
    return ticks.filter { $0 <= curve.lastTick }.sorted().map { tick in
      Polled.Point(
        seconds: tick, share: curve.share(at: tick, limits),
        latest: Self.share(latest, at: tick), earliest: Self.share(earliest, at: tick))
    }
  }

  /// After the last that is known it stays.
  private static func share(_ curve: KaplanMeier, at tick: Tick) -> Double {
    curve.adoption(at: min(tick, curve.table.lastTick ?? tick), level: 0.95).value ?? 0
  }
}

/// Counts bounds of one release where the times of a first count turn out to be bounds.
struct PolledCount {
  let counting: RiskCounting

  init(_ counting: RiskCounting) { self.counting = counting }

  init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ target: ReleaseRecord) {
    counting = RiskCounting(vocabulary, chosen, [target], countsBounds: true)
  }

  /// - Parameter counts: of the release.
  func more(_ counts: [RiskCounts]) -> Counts { Self.isWorthIt(counts) ? Counts(counting) : Counts([]) }

  /// The same table, with devices that only check among those that updated; the one at hand where these were not counted.
  func tables(_ ledger: Ledger, else seen: RiskTables) -> RiskTables { ledger.known(counting)?.tables[0] ?? seen }

  /// Whether all contacts should be looked at once more. Devices whose first word is that they have it may only check, or come
  /// from a store: they count where others surely only check, or where no update is known but devices wait, as on the first day,
  /// when no device was heard of twice. Where launches are seen nothing is looked at twice, nor of the first release of all.
  static func isWorthIt(_ counts: [RiskCounts]) -> Bool {
    counts.contains { row in
      let implied = row.remarks[Remark.impliedByCheck.rawValue] ?? 0
      let first = row.excluded[Exclusion.bornOn.rawValue] ?? 0
      return isWorthIt(implied: implied, bornOn: first, of: row.events, waiting: row.devices - row.events)
    }
  }

  static func isWorthIt(implied: Int, bornOn first: Int, of events: Int, waiting: Int) -> Bool {
    guard implied + first >= UpdateBounds.fewest, (implied + first) * 10 >= events + first else { return false }
    return implied > 0 && implied * 20 >= events || events == 0 && waiting * 20 >= first
  }

  /// nil where it was not counted, or times are known.
  func side(_ ledger: Ledger, _ group: Group, _ selection: Selection, _ table: LifeTable?) -> PolledSide? {
    side(ledger, 0, table) { $0.split(by: selection.by) == group }
  }

  /// - Parameter target: where several are counted.
  func side(
    _ ledger: Ledger, _ target: Int, _ table: LifeTable?, where isIncluded: (Group) -> Bool
  ) -> PolledSide? {
    guard let sum = ledger.known(counting) else { return nil }
    var bounds = UpdateBounds()
    for (key, counter) in sum.counters where key.target == target && isIncluded(key.group) {
      if let more = counter.bounds { bounds.add(more) }
    }
    return PolledSide(bounds, table)
  }
}

extension [Polled] {
  /// What a reader must know of estimates between checks.
  ///
  /// - Parameter kept: what keeps the time of the check, beside counts and devices at risk.
  func warnings(kept: String = "") -> [Warning] {
    guard let widest = self.max(by: { ($0.share, $0.updates) < ($1.share, $1.updates) }) else { return [] }
    return [.polled(widest.updates, of: widest.of, kept: kept)]
  }
}

extension [(counts: RiskCounts, isPolled: Bool)] {
  /// Where too few updates are known from checks alone to estimate between these, and the check is taken for the update.
  var checkWarnings: [Warning] {
    let left = self.filter { !$0.isPolled && $0.counts.isTimedByChecks }
    guard !left.isEmpty else { return [] }
    let updates = left.reduce(0) { $0 + ($1.counts.remarks[Remark.impliedByCheck.rawValue] ?? 0) }
    return [
      Warning(
        "too_few_to_poll",
        "of \(grouped(updates)) of \(counted(left.reduce(0) { $0 + $1.counts.events }, "update")) only the checks before and after are"
          + " known, too few to estimate times between these: they count at the check that showed them, hours late perhaps, and"
          + " shares of young ages are too low, limits included")
    ]
  }
}

extension RiskCounts {
  /// As of one update in ten, it is those of checks that would mislead.
  var isTimedByChecks: Bool {
    let implied = remarks[Remark.impliedByCheck.rawValue] ?? 0
    return implied > 0 && implied * 10 >= events
  }
}

extension Warning {
  static func polled(_ updates: Int, of all: Int, kept: String = "") -> Warning {
    let percent = Int((Double(updates) / Double(all) * 100).rounded(.down))
    return Warning(
      "polled",
      "of \(updates) of \(all) updates (\(percent) %) only the checks before and after are known: times are"
        + " estimated between these (intervalCensored), with a hazard in steps; counts, devices at risk"
        + "\(kept.isEmpty ? "" : ", " + kept) keep the time of the check that showed the update."
        + " Clients that check at each start updated at that check: their shares are nearer to the lower limits")
  }

  /// Of shares that newer releases compete with, which are not estimated between checks.
  static let polledMechanisms =
    "shares of mechanisms (newer releases compete with them: at least as large as shown)"
}
