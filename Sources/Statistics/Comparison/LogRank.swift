/// The log-rank test of K groups over any strata, with late entries: do they update at the same rate?
///
/// Observed minus expected events with the hypergeometric variance; no product of counts is formed, so that
/// 10 million devices a group are exact enough.
public struct LogRank: Sendable {
  public let observed: [Double]
  public let expected: [Double]
  public let variance: [[Double]]
  /// nil when no two groups were ever at risk together at an event, or chance is not what they differ by; `reason` says so.
  public let statistic: Double?
  /// Groups less one, and fewer if a group was never at risk together with others.
  public let degreesOfFreedom: Int
  public let p: PValue?
  public let reason: Unestimable?
  private let excess: [Double]

  public init(_ sets: RiskSets) {
    var sums = LogRankSums(groups: sets.groupCount)
    sums.addAll(sets)
    observed = sums.observed
    expected = sums.expected.map(\.value)
    excess = sums.excess.map(\.value)
    let groups = 0..<sets.groupCount
    variance = groups.map { one in groups.map { sums.variance[one * groups.count + $0].value } }
    let (inverse, rank) = generalizedInverse(variance)
    degreesOfFreedom = rank
    statistic = rank > 0 && sets.doubt == nil ? dot(excess, times(inverse, excess)) : nil
    p = statistic.map { PValue(chiSquare: $0, degreesOfFreedom: rank) }
    reason = rank > 0 ? sets.doubt : (sets.ticks.isEmpty ? .noEvents : .neverTogether)
  }
}

private struct LogRankSums {
  private(set) var observed: [Double]
  private(set) var expected: [CompensatedSum]
  private(set) var excess: [CompensatedSum]
  /// Row by row.
  private(set) var variance: [CompensatedSum]

  init(groups: Int) {
    observed = Array(repeating: 0, count: groups)
    expected = Array(repeating: CompensatedSum(), count: groups)
    excess = expected
    variance = Array(repeating: CompensatedSum(), count: groups * groups)
  }

  /// Over spans: nothing is allocated and no reference counted at a tick.
  mutating func addAll(_ sets: RiskSets) {
    let groups = 0..<sets.groupCount
    let atRisk = sets.atRisk.span
    let events = sets.events.span
    var (counts, means, differences, squares) = (observed, expected, excess, variance)
    var observed = counts.mutableSpan
    var expected = means.mutableSpan
    var excess = differences.mutableSpan
    var variance = squares.mutableSpan
    for row in sets.ticks.indices {
      let first = row * groups.count
      var (n, d) = (0.0, 0.0)
      for group in groups { (n, d) = (n + atRisk[first + group], d + events[first + group]) }
      let spread = n > 1 ? d * ((n - d) / (n - 1)) : 0
      for group in groups {
        let share = atRisk[first + group] / n
        observed[group] += events[first + group]
        expected[group].add(d * share)
        excess[group].add(events[first + group] - d * share)
        for other in groups {
          let otherShare = atRisk[first + other] / n
          variance[group * groups.count + other].add(spread * share * ((group == other ? 1 : 0) - otherShare))
        }
      }
    }
    (self.observed, self.expected, self.excess, self.variance) = (counts, means, differences, squares)
  }
}
