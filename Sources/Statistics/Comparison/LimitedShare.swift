import Glibc

/// A share with limits, also where it is 0 or 1 and no variance could tell them.
struct LimitedShare {
  var value: Double
  var lower: Double
  var upper: Double

  /// First less second, from the limits of each alone.
  ///
  /// MOVER, the method of variance estimates recovery (G. Y. Zou and A. Donner, Statistics in Medicine 27, 2008,
  /// 1693-1702): R. G. Newcombe's hybrid with any limits in the place of Wilson's.
  ///
  /// - Parameter correlation: of the two (G. Y. Zou, Psychological Methods 12, 2007, 399-413); nil for independent groups.
  static func difference(_ first: Self, _ second: Self, correlation: Double?, level: Double) -> Estimate {
    let value = first.value - second.value
    let below = distance(first.value - first.lower, second.upper - second.value, correlation)
    let above = distance(first.upper - first.value, second.value - second.lower, correlation)
    return Estimate(
      value, lo: value - below, hi: value + above, level: level, method: correlation == nil ? .mover : .pairedMover)
  }

  private static func distance(_ one: Double, _ other: Double, _ correlation: Double?) -> Double {
    guard let correlation else { return hypot(one, other) }
    return max(0, one * one + other * other - 2 * correlation * one * other).squareRoot()
  }
}

extension Result where Success == LimitedShare, Failure == Unestimable {
  func difference(from reference: Self, correlation: Double? = nil, level: Double) -> Estimate {
    switch (self, reference) {
    case (.success(let first), .success(let second)):
      LimitedShare.difference(first, second, correlation: correlation, level: level)
    case (.failure(let reason), _), (_, .failure(let reason)):
      Estimate(nil, level: level, method: .mover, reason: reason)
    }
  }
}

extension KaplanMeier {
  /// F with log-log limits; with exact ones where nobody has updated or everybody at risk has.
  func limitedShare(at tick: Tick, level: Double) -> Result<LimitedShare, Unestimable> {
    let standing = standing(at: tick)
    return LimitedShare.of(
      standing.adoption(level: level), lowerLimitOfAll: standing.lowerLimitOfAll(level: level),
      upperLimitOfNone: table.upperLimitOfNone(others: causes, by: tick, level: level))
  }
}

extension AalenJohansen {
  /// The limits of F_k that hold for none and for all, too; nil where there is no F_k.
  public func exactLimits(of cause: Cause, at tick: Tick, level: Double) -> ClosedRange<Double>? {
    switch limitedShare(of: cause, at: tick, level: level) {
    case .success where table.doubt != nil: nil
    case .success(let share): share.lower...max(share.lower, share.upper)
    case .failure: nil
    }
  }

  /// F_k with complementary log-log limits; with exact ones where nobody had the cause or everybody at risk had it.
  func limitedShare(of cause: Cause, at tick: Tick, level: Double) -> Result<LimitedShare, Unestimable> {
    let standing = overall.standing(at: tick)
    return LimitedShare.of(
      incidence(of: cause, at: tick, level: level), lowerLimitOfAll: standing.lowerLimitOfAll(level: level),
      upperLimitOfNone: table.upperLimitOfNone(others: overall.causes, by: tick, level: level))
  }
}

extension LimitedShare {
  /// The other limits are worked out only where the share has none of its own: that of none takes a step per row.
  ///
  /// - Parameter upperLimitOfNone: nil where nobody has been at risk yet.
  fileprivate static func of(
    _ share: Estimate, lowerLimitOfAll: @autoclosure () -> Double?, upperLimitOfNone: @autoclosure () -> Double?
  ) -> Result<Self, Unestimable> {
    guard let value = share.value else { return .failure(share.reason ?? .nothingAtRisk) }
    if let lower = share.lo, let upper = share.hi { return .success(Self(value: value, lower: lower, upper: upper)) }
    if value > 0 { return .success(Self(value: value, lower: lowerLimitOfAll() ?? 0, upper: 1)) }
    guard let upper = upperLimitOfNone() else { return .failure(.nothingAtRisk) }
    return .success(Self(value: 0, lower: 0, upper: upper))
  }
}

extension LifeTable {
  /// The exact upper limit of a share of which nothing was seen by a tick; nil where nobody was at risk yet.
  ///
  /// It rests on the fewest of whom something was known on the way: those at risk, and those whom another cause took, who
  /// are known not to have had this one. Who entered late says nothing of the time before.
  fileprivate func upperLimitOfNone(others: CauseSet, by tick: Tick, level: Double) -> Double? {
    var (rows, taken, fewest) = (RowReader(), Int64(0), Int64?.none)
    while rows.next < runs.count, Run.tick(runs[rows.next]) <= tick {
      let (isFirst, before) = (rows.next == 0, taken)
      rows.read(runs.span) { kind, count in if Run.isEvent(kind, others) { taken += count } }
      if !isFirst { fewest = min(fewest ?? .max, rows.atRisk + before) }
    }
    if rows.next > 0, rows.tick < tick { fewest = min(fewest ?? .max, rows.after + taken) }
    return fewest.map { Proportion.boundWithoutEvents(among: $0, level: level) ?? 1 }
  }
}
