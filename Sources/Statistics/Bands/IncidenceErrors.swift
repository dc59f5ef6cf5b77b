import Glibc

/// The errors of one cause's cumulative incidence, as sums of independent parts.
///
/// At t the error is X(t) − F(t)·Z(t), where dZ is that of the hazard of all causes and dX that of the cause's own, with F·dZ: both
/// have independent increments, late entry or not. Their covariance is added up between some ages; with it the variance at
/// each age is Greenwood's for several causes.
struct IncidenceErrors {
  struct Age {
    var tick: Tick
    var value: Double
    /// What X and Z gained since the age before: Var X, Cov(X, Z), Var Z.
    var gained: (own: Double, joint: Double, all: Double)
    var error: Double
  }
  private(set) var ages: [Age] = []

  /// - Parameter wanted: ascending ticks, at which the cause occurs.
  init(_ incidence: AalenJohansen, _ cause: Cause, at wanted: [Tick]) {
    var (survival, value, gained, next) = (1.0, 0.0, (own: 0.0, joint: 0.0, all: 0.0), 0)
    for row in incidence.table.rows where next < wanted.count {
      let (n, d) = (Double(row.atRisk), Double(row.events(in: incidence.overall.causes)))
      guard d > 0, n > d else { continue }
      let own = Double(row.events(cause))
      value += survival * own / n
      let all = d / (n * (n - d))
      let joint = survival * own / (n * n) + value * all
      gained.own +=
        survival * survival * own * (n - own) / (n * n * n) + 2 * value * survival * own / (n * n) + value * value * all
      gained.joint += joint
      gained.all += all
      survival *= 1 - d / n
      guard row.tick == wanted[next] else { continue }
      let error = incidence.share(of: cause, at: row.tick).variance.squareRoot()
      ages.append(Age(tick: row.tick, value: value, gained: gained, error: error))
      (gained, next) = ((0, 0, 0), next + 1)
    }
  }

  /// The greatest of one draw's errors, in standard errors.
  func greatest(_ draws: inout NormalDraws) -> Double {
    var (own, all, greatest) = (0.0, 0.0, 0.0)
    for age in ages {
      let spread = age.gained.all.squareRoot()
      let (first, second) = (draws.next(), draws.next())
      let shared = spread > 0 ? age.gained.joint / spread : 0
      all += spread * first
      own += shared * first + max(0, age.gained.own - shared * shared).squareRoot() * second
      if age.error > 0 { greatest = max(greatest, abs(own - age.value * all) / age.error) }
    }
    return greatest
  }
}

extension AalenJohansen {
  /// Limits of one cause's share that hold at all ages together, from its tenth update to where those of all causes end.
  public func simultaneousLimits(of cause: Cause, level: Double) -> CurveLimits {
    guard let whole = overall.simultaneousLimits(level: level).ages else { return .none(level: level) }
    let ticks = bandTicks(of: cause, until: whole.upperBound)
    guard let first = ticks.first else { return .none(level: level) }
    let errors = IncidenceErrors(self, cause, at: ticks)
    let width = resampledWidth(level: level) { errors.greatest(&$0) }
    return .simultaneous(level: level, width: width, ages: first...max(first, whole.upperBound))
  }

  /// Ticks of the cause, so many that between two of them hardly anything can happen: each has a fiftieth more updates than the
  /// one before, at least one.
  private func bandTicks(of cause: Cause, until last: Tick) -> [Tick] {
    var (ticks, wanted) = ([Tick](), CurveLimits.fewestUpdates)
    guard let stretches = stretches(of: cause) else { return [] }
    for stretch in stretches where stretch.last.events >= wanted {
      replay(stretch, cause) { share in
        guard share.tick <= last else { return false }
        if share.events >= wanted, ticks.last != share.tick {
          ticks.append(share.tick)
          wanted = share.events + max(1, share.events / 50)
        }
        return true
      }
    }
    return ticks
  }
}
