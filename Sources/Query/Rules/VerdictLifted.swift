import Lifecycle

/// Which limit would end a stop.
extension VerdictEvidence {
  /// The least whole percentage at which nothing stops the release any more: of `--limit` where first attempts fail, else of `--harm-limit`.
  ///
  /// nil where none does that, as past releases set a limit beside it, or something else stops it, too. Costs some seven verdicts.
  func liftingPercent(_ first: Verdict.Reason) -> Int? {
    var (least, most) = (Int((first.limit ?? 0) * 100) + 1, 99)
    guard least <= most, !isStopped(first.condition, at: most) else { return nil }
    while least < most {
      let middle = (least + most) / 2
      if isStopped(first.condition, at: middle) { least = middle + 1 } else { most = middle }
    }
    return most
  }

  private func isStopped(_ condition: Verdict.Condition, at percent: Int) -> Bool {
    var other = self
    let limit = Double(percent) / 100
    if condition == .failing {
      (other.options.limit, other.attempts) = (limit, attemptsWith(limit))
    } else {
      other.options.harmLimit = limit
    }
    return other.reasons.contains { $0.decision == .stop }
  }
}
