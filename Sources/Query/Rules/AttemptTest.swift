import Glibc
package import Lifecycle
package import Statistics

/// Whether first attempts fail too often: as a share of all that began, and at the exposure that they had.
///
/// Each by itself is a supermartingale where the release keeps its limit, the exposure where failures come no sooner than in the past
/// or are no more than half of what is permitted; and so is a mean of both, with weights that are set beforehand: one level holds for
/// the two together. By exposure it is found sooner, since an attempt counts for as long as it was watched; the share is what the
/// limit says in words. Where past releases failed too seldom to tell when failures come, the
/// share alone decides.
package struct AttemptTest {
  /// How many attempts may have failed by now by the limit, half of it at once; nil where the past tells too little of when failures come.
  package let permitted: Double?
  package let evidenceAbove: Double
  /// The first look at which it was to be stopped; nil where looks are not known.
  package var reachedAt: Timestamp? { reached?.at }
  let reached: LookTest.Reached?
  package let stops: Bool

  /// What is known of the time that attempts were watched.
  package struct Watched {
    var own: AttemptHarm
    var past: [AttemptHarm]
    var looks: CountedLooks?
    var options: Failures.Options

    package init(
      own: AttemptHarm, past: [AttemptHarm], looks: CountedLooks?, _ options: Failures.Options = Failures.Options()
    ) {
      (self.own, self.past, self.looks, self.options) = (own, past, looks, options)
    }
  }

  /// Of the mean; the rest is that of the share.
  private static let weight = 0.9
  /// With fewer it is not known when failures come.
  private static let fewestEvents = 10

  package init(_ watched: Watched, limit: FailureLimit, alpha: Double) {
    let chances = Self.chances(watched, limit.rate)
    let share = MixtureTest(limit: limit, alpha: alpha)
    func evidence(_ known: LookTest.Known) -> Double {
      let ofShare = share.evidenceAbove(Proportion(Int64(known.events), of: Int64(known.devices)))
      guard chances != nil else { return ofShare }
      let ofExposure = ExposureTest(permitted: known.permitted, alpha: alpha).evidenceAbove(known.events)
      let (high, low) = (log(Self.weight) + ofExposure, log(1 - Self.weight) + ofShare)
      return max(high, low) + log1p(exp(-abs(high - low)))
    }
    let none = Harm.spans.map { _ in 0.0 }
    let (delivery, activation) = chances ?? (none, none)
    if let looks = watched.looks, let own = watched.own.looks {
      let test = LookTest(
        [.init(looks: own.delivery, chances: delivery), .init(looks: own.activation, chances: activation)], looks,
        threshold: share.threshold, evidence: evidence)
      (evidenceAbove, reached) = (test.evidence, test.reached)
      permitted = chances == nil ? nil : test.permitted
    } else {
      let own = watched.own
      let all = own.delivery.expected(delivery) + own.activation.expected(activation)
      evidenceAbove = evidence(.init(events: own.events, devices: own.attempts, permitted: all))
      (reached, permitted) = (nil, chances == nil ? nil : all)
    }
    stops = evidenceAbove >= share.threshold || reached != nil
  }

  /// The chances in each span at which attempts of the past would have failed as often as the limit permits, but for the part of it
  /// that may come at once.
  ///
  /// One failure more, spread evenly, so that no span is one in which nothing may happen.
  private static func chances(_ watched: Watched, _ limit: Double) -> (delivery: [Double], activation: [Double])? {
    let options = watched.options
    var pooled = AttemptHarm()
    for harm in watched.past { pooled.add(harm) }
    guard pooled.events >= fewestEvents, pooled.events < pooled.attempts else { return nil }
    let rate = Double(pooled.events + 1) / Double(pooled.attempts + 1)
    let spans = Harm.spans(within: options.attemptAge) + Harm.spans(within: options.rollbackAge)
    let (factor, more) = (HarmTest.asBefore * log1p(-limit) / log1p(-rate), 1 / Double(spans))
    return (
      pooled.delivery.chances(more: more, within: options.attemptAge).scaled(by: factor).withRestAtOnce(of: limit),
      pooled.activation.chances(more: more, within: options.rollbackAge).scaled(by: factor)
    )
  }
}
