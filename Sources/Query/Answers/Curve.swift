public import Statistics

/// A step of a curve of shares: from here on it has this height, up to the next point.
public struct CurvePoint: Encodable, Sendable {
  public var seconds: Int64
  public var atRisk: Int
  public var value: Double
  @Nullable public var lo: Double?
  @Nullable public var hi: Double?
}

/// A curve for drawing, thinned, with its band.
public struct Curve: Encodable, Sendable {
  /// None at all where so many were asked for.
  @Drawn public var points: [CurvePoint]
  /// The last second with at least 30 devices at risk before the first update among fewer; null where there is none.
  @Nullable public var stableUntilSeconds: Int64?
  /// From here on one more update would move the curve by more than one percentage point.
  @Nullable public var fadesFromSeconds: Int64?
  /// When each of `Curve.milestones` was reached, to the second, however the points were thinned; nil where it was not.
  public var reached: [Int64?]
  /// Where a rollout came in steps and is complete: when so many of all devices that could have it by then had updated, from its last
  /// step on; empty else.
  public var counted: [LifeTable.Standing?] = []

  /// From here on nothing is estimated, as devices came in after few were left.
  public var lostFromSeconds: Int64?

  /// Shares that people wait for.
  public static let milestones = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95]
  private enum CodingKeys: String, CodingKey { case points, stableUntilSeconds, fadesFromSeconds }

  /// From 0 to where the last device left, or to where nothing is estimated; at most so many points.
  public init(_ curve: KaplanMeier, points: Int = 300, _ limits: CurveLimits) {
    _points = .of(points) { points in
      var standings = [curve.standing(at: 0)] + curve.standings(atMost: max(points - 2, 2))
      if let last = curve.lostFrom.map({ $0 - 1 }) ?? curve.table.lastTick, last > standings[standings.count - 1].tick {
        standings.append(curve.standing(at: last))
      }
      return curve.table.isEmpty ? [] : standings.map { CurvePoint($0, of: curve, limits) }
    }
    _stableUntilSeconds = Nullable(wrappedValue: curve.stableUntil)
    _fadesFromSeconds = Nullable(wrappedValue: curve.fadeTick())
    lostFromSeconds = curve.lostFrom
    reached = curve.quantiles(Self.milestones, level: limits.level).map { $0.value.map { Int64($0) } }
  }
}

extension CurvePoint {
  init(_ standing: KaplanMeier.Standing, of curve: KaplanMeier, _ limits: CurveLimits) {
    let share = standing.adoption(limits)
    // Nobody is at risk at 0; who entered then is from 1 on.
    let atRisk = standing.tick > 0 ? standing.atRisk : curve.table.atRisk(at: 1)
    self.init(seconds: standing.tick, atRisk: Int(atRisk), value: share.value ?? 0, lo: share.lo, hi: share.hi)
  }
}

extension Estimate {
  /// What cannot be estimated, by whichever method it would have been.
  static func missing(_ reason: Unestimable, level: Double, method: Method) -> Estimate {
    Estimate(nil, level: level, method: method, reason: reason)
  }

  /// Limits of no width come from a variance of 0, which nobody observed: they are no limits.
  var withoutEmptyLimits: Estimate {
    guard let lo, let hi, lo == hi else { return self }
    return Estimate(value, level: level, method: method, reason: reason ?? .noVariation)
  }
}

extension KaplanMeier {
  /// The mean wait until a horizon; its limits lie between 0 and the horizon.
  func meanWait(to horizon: Tick, level: Double) -> Estimate {
    restrictedMean(to: horizon, level: level).kept(within: 0...Double(max(horizon, 0))).withoutEmptyLimits
  }
}
