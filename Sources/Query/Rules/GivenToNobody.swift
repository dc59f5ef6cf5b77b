import Lifecycle

extension VerdictEvidence {
  /// So long after a rollout step hardly any fleet has no device that so much as tries.
  private static let longestWait = Milliseconds.days(1)

  /// A release that devices could have for a day, and none tries to get: it may not be given out at all, or under another name.
  var isGivenToNobody: Bool {
    guard let unreached, unreached >= SpokenTimes.fewest, !isReplaced, silence == nil, let percent, percent > 0 else {
      return false
    }
    let steps = start.rollout.map(\.at).filter { $0 <= now }
    let widened = steps.reduce(start.publishedAt) { max($0, $1) }
    let heard = min(newest ?? widened, start.publishedAt + followed)
    return heard - widened >= Self.longestWait
  }

  /// Without a rate, and not without a count: what is known is that there was no attempt.
  var givenToNobody: Verdict.Reason {
    var reason = Verdict.Reason(
      .firstAttempts, .unsettled,
      "none of \(counted(unreached ?? 0, "eligible device")) is known to have tried to get it,"
        + " \(lengthWords(followed)) after its publication: is it given out there, under this name?")
    (reason.events, reason.devices) = (0, 0)
    return reason
  }
}

extension Verdict {
  /// Whether no device is known to have tried to get it, where some should have.
  public var isGivenToNobody: Bool { reasons.contains { $0.subject == .firstAttempts && $0.devices == 0 } }
}
