/// The cumulative incidence of one cause after some rows: F, its variance and what else the next row needs.
///
/// Greenwood's for the whole process (multinomial events at each tick), carried forward: no difference of large sums,
/// and nothing special happens when S reaches 0.
struct CauseShare {
  private var sum = CompensatedSum()
  private var runningVariance = 0.0
  /// Cov(F, S) / S, which events of other causes leave as it is.
  private(set) var withSurvival = 0.0
  private(set) var events: Int64 = 0
  /// Rows at which F rose, and the last of them.
  private(set) var steps = 0
  private(set) var tick: Tick = 0
  /// The smallest and largest variance since the last waypoint.
  private(set) var leastVariance = 0.0
  private(set) var mostVariance = 0.0

  /// F. What is missing to 1 by less than anybody could be is rounding.
  var value: Double { sum.value > 1 - 1e-12 ? 1 : sum.value }
  var variance: Double { max(runningVariance, 0) }
  var moment: Moment { Moment(value: value, variance: variance) }

  @inline(__always)
  mutating func note(_ count: Int64, hazard: Double, at row: Tick, before step: IncidenceStep) {
    events += count
    let gained = step.survival * hazard
    guard gained > 0 else { return }
    sum.add(gained)
    let own = step.survival * (hazard * step.greenwood + (1 - hazard) * step.perDevice)
    runningVariance += gained * (2 * withSurvival + own)
    withSurvival += gained * (step.greenwood - step.perDevice)
    (steps, tick) = (steps + 1, row)
    leastVariance = min(leastVariance, variance)
    mostVariance = max(mostVariance, variance)
  }

  mutating func beginStretch() { (leastVariance, mostVariance) = (variance, variance) }
}

/// Follows every cause.
struct AllCauses: EventListener {
  private(set) var shares = [CauseShare](repeating: CauseShare(), count: Int(Cause.highest) + 1)

  @inline(__always)
  mutating func note(_ kind: Int, _ count: Int64, hazard: Double, at tick: Tick, before step: IncidenceStep) {
    shares[kind].note(count, hazard: hazard, at: tick, before: step)
  }

  /// Those of some causes; a new stretch begins.
  mutating func taken(_ causes: [Cause]) -> [CauseShare] {
    causes.map { cause in
      defer { shares[Int(cause.rawValue)].beginStretch() }
      return shares[Int(cause.rawValue)]
    }
  }
}

/// Follows one cause.
struct OneCause: EventListener {
  let kind: Int
  private(set) var share: CauseShare

  init(_ cause: Cause, _ share: CauseShare = CauseShare()) { (kind, self.share) = (Int(cause.rawValue), share) }

  @inline(__always)
  mutating func note(_ kind: Int, _ count: Int64, hazard: Double, at tick: Tick, before step: IncidenceStep) {
    if kind == self.kind { share.note(count, hazard: hazard, at: tick, before: step) }
  }
}
