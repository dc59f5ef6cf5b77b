/// What a difference means for a decision, told by a margin and not by significance.
public enum Relevance: String, CaseIterable, Hashable, Sendable, Codable {
  /// The whole interval lies beyond the margin, on one side.
  case relevant
  /// The whole interval lies within the margin.
  case equivalent
  case undecided

  /// A difference is undecided as long as it has no limits. The margin is positive and in the difference's unit.
  public init(of difference: Estimate, margin: Double) {
    guard let lo = difference.lo, let hi = difference.hi else {
      self = .undecided
      return
    }
    if lo > margin || hi < -margin {
      self = .relevant
    } else {
      self = lo >= -margin && hi <= margin ? .equivalent : .undecided
    }
  }
}
