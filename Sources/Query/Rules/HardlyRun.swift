import Console
import Statistics

extension VerdictEvidence {
  /// A release that does not start says nothing: all that tells of it is that devices fetch it and do not run it.
  func hardlyRun(_ devices: Int) -> String {
    let tried = (attempts?.attempts ?? 0) + (attempts?.tooYoung ?? 0)
    guard tried * 2 > devices else { return "" }
    return "; \(counted(tried, "device")) tried to get it, and hardly any says that it runs: does it start?"
  }
}

extension Verdict.Reason {
  /// Not a tenth of what had updated to the release before at the same age, for certain: being slow alone does not explain it.
  public var isHardlyRun: Bool {
    guard condition == .slow, let before, let most = value?.hi else { return false }
    return (before.value + most) * 10 < before.value
  }
}

extension Compare.Age {
  /// Within what a verdict lets pass.
  public var isLittle: Bool { abs(difference.value ?? 0) <= Verdict.slowMargin }
}
