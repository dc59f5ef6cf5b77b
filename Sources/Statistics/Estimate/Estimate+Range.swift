import Glibc

extension Estimate {
  /// The value alone, where there is a reason to give no limits of it.
  func without(limitsBecauseOf doubt: Unestimable?) -> Estimate {
    guard let doubt else { return self }
    return Estimate(value, level: level, method: method, reason: value == nil ? reason : doubt)
  }

  /// Normal limits that leave what is possible are taken on the logit scale of the range in their place; others stay.
  ///
  /// Three devices, two by one mechanism and one by another: 33 pp (−73 to 140) becomes 33 pp (−69 to 91).
  public func kept(within range: ClosedRange<Double>) -> Estimate {
    guard let value, let lo, let hi, lo < range.lowerBound || hi > range.upperBound else { return self }
    let (below, above) = (value - range.lowerBound, range.upperBound - value)
    var kept = self
    guard below > 0, above > 0 else {
      (kept.lo, kept.hi) = (range.lowerBound, range.upperBound)
      return kept
    }
    let width = range.upperBound - range.lowerBound
    let reach = exp((hi - lo) / 2 * width / (below * above))
    kept.lo = range.lowerBound + width * below / (below + above * reach)
    kept.hi = range.lowerBound + width * below * reach / (below * reach + above)
    if reach == .infinity { kept.hi = range.upperBound }
    return kept
  }
}
