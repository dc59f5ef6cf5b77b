import Statistics

extension Compare {
  /// By the mean time without the update over the longest common horizon up to 72 h; by adoption where there is none.
  static func verdict(_ ages: [Age], _ means: [RestrictedMean]) -> Verdict {
    if let mean = primary(means), let value = mean.difference.value {
      return Verdict(mean.relevance, isAhead: value < 0)
    }
    return ages.last { $0.difference.lo != nil }.flatMap(\.verdict) ?? .cannotSay
  }

  private static func primary(_ means: [RestrictedMean]) -> RestrictedMean? {
    means.last { $0.horizonSeconds <= 72 * 3600 && $0.difference.lo != nil }
  }

  /// What decides the verdict where adoption at the oldest age says otherwise: an age alone may differ for sure where the whole wait
  /// up to it does not.
  public var deciding: RestrictedMean? {
    guard let age = ages.last(where: { $0.difference.value != nil }), age.verdict != verdict else { return nil }
    return Self.primary(restrictedMeans)
  }
}

extension Compare.Age {
  /// In a word, as far as this age alone can say; nil where it says nothing.
  fileprivate var verdict: Compare.Verdict? {
    difference.value.map { Compare.Verdict(relevance, isAhead: $0 > 0) }
  }
}

extension Compare.Verdict {
  fileprivate init(_ relevance: Relevance, isAhead: Bool) {
    self =
      switch relevance {
      case .relevant: isAhead ? .ahead : .behind
      case .equivalent: .equivalent
      case .undecided: .undecided
      }
  }

  public var words: String {
    switch self {
    case .ahead: "ahead"
    case .behind: "behind"
    case .equivalent: "level"
    case .undecided: "undecided"
    case .cannotSay: "not known"
    }
  }
}
