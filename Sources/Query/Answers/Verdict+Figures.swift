import Statistics

extension Verdict.Reason {
  /// The share, without its interval, for those who know no statistics; for speed a difference. Nil where there is none.
  public var share: Double? { value?.value }
}

extension Verdict {
  /// Devices that launched it, where none counts for adoption yet: launches are known until now, adoption up to the cutoff. Nil where any
  /// counts, and where none launched it.
  public var launchedUncounted: Int? {
    devices > 0 ? nil : reasons.first { $0.subject == .crashes && $0.platform == nil }?.devices
  }
}
