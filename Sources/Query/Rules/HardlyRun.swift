import Console
import Statistics

extension VerdictEvidence {
  /// Devices that tried to get it, and did not fail.
  private var fetched: Int {
    attempts.map { $0.stopRule.watched - $0.stopRule.watchedFailures } ?? 0
  }

  /// A release that does not start says nothing: all that tells of it is that devices fetch it and do not run it.
  func isHardlyRun(_ speed: Verdict.Reason) -> Bool {
    speed.isFarBehind && fetched * 2 > speed.devices ?? 0 && launches.launched * 10 < fetched
  }

  func hardlyRun(_ speed: Verdict.Reason) -> String {
    isHardlyRun(speed)
      ? "; \(counted(fetched, "device")) tried to get it and did not fail, and hardly any says that it runs: does it start?"
      : ""
  }
}

extension Verdict.Reason {
  /// Not a tenth of what had updated to the release before at the same age, for certain: being slow alone does not explain it.
  fileprivate var isFarBehind: Bool {
    guard condition == .slow, let before, let most = value?.hi else { return false }
    return (before.value + most) * 10 < before.value
  }
}

extension Verdict {
  /// Whether devices get it and hardly any says that it runs.
  public var isHardlyRun: Bool {
    let tried = reasons.first { $0.subject == .firstAttempts }
    let fetched = (tried?.devices ?? 0) - (tried?.events ?? 0)
    return reasons.contains(where: \.isFarBehind) && fetched * 2 > devices && events * 10 < fetched
  }
}

extension Compare.Age {
  /// Within what a verdict lets pass.
  public var isLittle: Bool { abs(difference.value ?? 0) <= Verdict.slowMargin }
  /// Whether few devices that were followed so long stand for many that were not: then the difference has no limits.
  public var isOfFew: Bool { difference.value != nil && difference.reason == .tooFew }
}
