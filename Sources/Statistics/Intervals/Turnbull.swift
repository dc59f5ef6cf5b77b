/// The distribution of times of which only bounds are known: nonparametric maximum likelihood (B. W. Turnbull, Journal of the
/// Royal Statistical Society B 38, 1976), with late entry (H. Frydman, ibid. 56, 1994) and right censoring.
///
/// All mass lies in spans between a lower bound and the next upper one; where in its span a mass lies, the data do not say, so a
/// share at a tick is a band from `leastShare` to `mostShare`. With times known to the tick it is Kaplan and Meier's
/// estimate. One step costs the number of bounds and spans. The tests hold it against Kaplan–Meier, published values
/// and an independent implementation.
public struct Turnbull: Hashable, Sendable {
  /// Mass in (after, through].
  public struct Span: Hashable, Sendable {
    public var after: Tick
    /// nil: beyond the last thing that is known.
    public var through: Tick?
    public var mass: Double
  }

  /// Ascending, without those that hold nothing.
  public let spans: [Span]
  /// By so much per device another distribution could have a higher log likelihood, at most: the largest derivative towards a
  /// span, which is 0 at a maximum (Kuhn and Tucker). With late entries it says that the point is stationary.
  public let slack: Double
  public let steps: Int

  /// Mass below this share of a device is what steps towards none have left.
  private static let least = 1e-6

  /// - Parameters:
  ///   - tolerance: ends where `slack` is at most this.
  ///   - most: ends after so many steps whatever the slack; it then says so.
  public init(_ bounds: [TimeBounds], tolerance: Double = 1e-8, most: Int = 20_000) {
    let likelihood = SpanLikelihood(bounds)
    var climb = Climb(likelihood)
    climb.run(tolerance: tolerance, most: most)
    (slack, steps) = (climb.slack, climb.steps)
    let floor = Self.least / Double(max(bounds.count, 1))
    spans = zip(likelihood.spans, climb.masses).filter { $1 > floor }.map {
      Span(after: $0.after, through: $0.through == .max ? nil : $0.through, mass: $1)
    }
  }

  /// The share that had surely updated by a tick: of spans that have ended.
  public func leastShare(at tick: Tick) -> Double { share { ($0.through ?? .max) <= tick } }

  /// The share that may have updated by a tick: of spans that have begun.
  public func mostShare(at tick: Tick) -> Double { share { $0.through != nil && $0.after < tick } }

  /// When a share had updated, from the earliest to the latest that the data permit; nil where the curve does not get there.
  public func quantile(_ p: Double) -> ClosedRange<Tick>? {
    var sum = CompensatedSum()
    for span in spans {
      guard let through = span.through else { return nil }
      sum.add(span.mass)
      if sum.value >= p - 1e-9 { return span.after + 1...through }
    }
    return nil
  }

  private func share(_ isCounted: (Span) -> Bool) -> Double {
    var sum = CompensatedSum()
    for span in spans where isCounted(span) { sum.add(span.mass) }
    return min(sum.value, 1)
  }
}
