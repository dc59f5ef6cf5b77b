import Statistics

/// One release's curve in a comparison: with the check taken for the update, and between the checks where times are not known.
struct ComparedCurve {
  let seen: KaplanMeier
  let between: PolledCurve?

  func share(at tick: Tick, level: Double) -> Estimate {
    between?.share(at: tick, level: level) ?? seen.adoption(at: tick, level: level)
  }

  /// Between checks a share has limits of its own.
  func oneSidedLimits(at tick: Tick, level: Double) -> OneSidedLimits {
    guard between == nil else { return .none }
    let standing = seen.standing(at: tick)
    return OneSidedLimits(standing, standing.adoption(level: level), level: level)
  }

  /// Whether enough devices were followed so long, or most of those there are. In a staged rollout only a first step is that old.
  func isCarried(to tick: Tick) -> Bool { between != nil || seen.isCarried(to: tick) || seen.isOfMost(at: tick) }

  func meanWait(to horizon: Tick, level: Double) -> Estimate {
    between?.meanWait(to: horizon, level: level) ?? seen.meanWait(to: horizon, level: level)
  }

  /// Between checks devices that are in both releases are taken as strangers: limits are rather too wide.
  func difference(from other: Self, at tick: Tick, level: Double, shared: SharedEnds) -> Estimate {
    if between == nil, other.between == nil {
      return seen.adoptionDifference(from: other.seen, at: tick, level: level, shared: shared)
    }
    return Estimate.difference(
      ofShares: share(at: tick, level: level), other.share(at: tick, level: level), level: level)
  }

  func meanDifference(from other: Self, to horizon: Tick, level: Double, shared: SharedEnds) -> Estimate {
    if between == nil, other.between == nil {
      return seen.fairRestrictedMeanDifference(from: other.seen, to: horizon, level: level, shared: shared)
    }
    let most = Double(max(horizon, 0))
    return Estimate.difference(
      ofMeans: meanWait(to: horizon, level: level), other.meanWait(to: horizon, level: level), level: level
    ).kept(within: -most...most)
  }
}
