import Glibc

@testable import Statistics

/// S(t), the share that has not updated by t, where of times only bounds are known: the nonparametric maximum likelihood.
///
/// Probability lies in innermost intervals; where within one is open, so the curve is a band from `earliest` to
/// `latest`. With exact times the band is the Kaplan-Meier curve.
struct Turnbull: Sendable {
  let innermost: [InnermostInterval]
  /// S after each of them.
  let survival: [Double]
  let devices: Int64
  /// Whether the Kuhn-Tucker conditions are met, within 1e-9 a device: then no curve is likelier.
  let isCertain: Bool
  /// By how much a device at most misses them.
  let shortfall: Double
  let rounds: Int
  /// Nothing is known of later ticks, unless nobody is left.
  private let lastTick: Tick?

  /// - Parameter rounds: at most; `isCertain` tells whether they were enough.
  init(_ times: [BoundedTime], rounds: Int = 2000) {
    let innermost = InnermostInterval.all(of: times)
    let likelihood = HazardLikelihood(times, innermost)
    let (finite, sure) = likelihood.withoutSure
    let fit = HazardFit(finite, rounds: rounds)
    var left = 0.0
    survival = innermost.indices.map { index in
      left += sure.contains(index) ? .infinity : fit.hazards[index]
      return exp(-left)
    }
    self.innermost = innermost
    devices = times.reduce(0) { $0 + $1.count }
    (isCertain, shortfall, self.rounds) = (fit.isCertain, fit.shortfall, fit.rounds)
    lastTick = times.map { $0.upTo ?? $0.after }.max()
  }

  /// The share that had updated by a tick: at least and at most. nil after the last tick that is known of.
  func adoption(at tick: Tick) -> ClosedRange<Double>? {
    guard let lastTick, tick <= lastTick || survival.last == 0 else { return nil }
    let least = innermost.partitioningIndex { $0.upTo > tick }
    let most = innermost.partitioningIndex { $0.after >= tick }
    return share(after: least)...share(after: max(least, most))
  }

  /// The first tick by which a share `p` (0 < p < 1) can have updated, and by which it must have, within 1e-9 of the share.
  ///
  /// nil where it is not reached.
  func quantile(_ p: Double) -> ClosedRange<Tick>? {
    let index = survival.partitioningIndex { $0 <= 1 - p + quantileTolerance }
    return index < innermost.count ? innermost[index].after + 1...innermost[index].upTo : nil
  }

  private func share(after count: Int) -> Double { count == 0 ? 0 : 1 - survival[count - 1] }
}

extension HazardLikelihood {
  /// Intervals that nobody is known to have survived take all that is left: their hazard is infinite, and times that may lie
  /// in them need no other.
  fileprivate var withoutSure: (rest: HazardLikelihood, sure: Set<Int>) {
    let sure = survivors.indices.filter { survivors[$0] == 0 }
    let others = terms.filter { term in
      let next = sure.partitioningIndex { $0 >= term.first }
      return next == sure.count || sure[next] >= term.end ?? term.first
    }
    return (HazardLikelihood(terms: others, survivors: survivors, unlikely: Set(sure)), Set(sure))
  }

  private init(terms: [Term], survivors: [Double], unlikely: Set<Int>) {
    (self.terms, intervals) = (terms, survivors.count)
    // Without a time in them they cost what any device costs, so that they are left at 0.
    self.survivors = survivors.indices.map { unlikely.contains($0) ? 1 : survivors[$0] }
  }
}
