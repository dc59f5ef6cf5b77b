import Lifecycle
import Statistics

extension Mechanisms {
  /// Puts estimates between the checks in the place of those that take the check for the update. A newer release is known at checks
  /// only: where it competes shares stay as they are.
  mutating func estimateBetweenChecks(_ side: PolledSide, _ selection: Selection) {
    polled = side.figures(points: 200, .pointwise(level: selection.level))
    guard selection.estimand != .asHappened else { return }
    let shares = side.shares
    ages = ages.map { $0.betweenChecks(side.curve, shares, selection.level) }
  }
}

extension Mechanisms.Age {
  fileprivate func betweenChecks(_ curve: PolledCurve, _ parts: PolledShares, _ level: Double) -> Self {
    var age = self
    age.shares = shares.map { $0.betweenChecks(parts, at: seconds, level) }
    let updated = curve.share(at: seconds, level: level)
    age.waiting = Estimate(
      updated.value.map { 1 - $0 }, lo: updated.hi.map { 1 - $0 }, hi: updated.lo.map { 1 - $0 }, level: level,
      method: .intervalCensored, reason: updated.reason)
    age.waitingAtMost = nil
    let seen = age.shares.filter { $0.share.value ?? 0 > 0 }.compactMap { Trigger(rawValue: $0.mechanism) }
    age.differences = pairs(seen).map { first, second in
      .init(
        first: first.rawValue, second: second.rawValue,
        share: parts.difference(first.cause, second.cause, at: seconds, level: level).kept(within: -1...1))
    }
    return age
  }
}

extension Mechanisms.Share {
  /// What a mechanism brought nobody is at most stays as it was: it is no time.
  fileprivate func betweenChecks(_ parts: PolledShares, at seconds: Int64, _ level: Double) -> Self {
    guard let cause = Trigger(rawValue: mechanism)?.cause else { return self }
    var share = self
    share.share = parts.share(of: cause, at: seconds, .pointwise(level: level))
    if share.share.value ?? 0 > 0 { (share.atMost, share.atLeast) = (nil, nil) }
    return share
  }
}
