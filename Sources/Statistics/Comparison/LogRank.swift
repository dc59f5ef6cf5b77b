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
    for row in sets.ticks.indices { sums.add(sets, row: row) }
    observed = sums.observed
    expected = sums.expected.map(\.value)
    excess = sums.excess.map(\.value)
    variance = sums.variance.map { $0.map(\.value) }
    let (inverse, rank) = generalizedInverse(variance)
    degreesOfFreedom = rank
    statistic = rank > 0 && sets.doubt == nil ? dot(excess, times(inverse, excess)) : nil
    p = statistic.map { PValue(chiSquare: $0, degreesOfFreedom: rank) }
    reason = rank > 0 ? sets.doubt : (sets.ticks.isEmpty ? .noEvents : .neverTogether)
  }
}

private struct LogRankSums {
  var observed: [Double]
  var expected: [CompensatedSum]
  var excess: [CompensatedSum]
  var variance: [[CompensatedSum]]

  init(groups: Int) {
    observed = Array(repeating: 0, count: groups)
    expected = Array(repeating: CompensatedSum(), count: groups)
    excess = expected
    variance = Array(repeating: expected, count: groups)
  }

  mutating func add(_ sets: RiskSets, row: Int) {
    let groups = sets.groupCount
    let range = row * groups..<(row + 1) * groups
    let n = sets.atRisk[range].reduce(0, +)
    let d = sets.events[range].reduce(0, +)
    let spread = n > 1 ? d * ((n - d) / (n - 1)) : 0
    for group in 0..<groups {
      let share = sets.atRisk[row * groups + group] / n
      let events = sets.events[row * groups + group]
      observed[group] += events
      expected[group].add(d * share)
      excess[group].add(events - d * share)
      for other in 0..<groups {
        let otherShare = sets.atRisk[row * groups + other] / n
        variance[group][other].add(spread * share * ((group == other ? 1 : 0) - otherShare))
      }
    }
  }
}
