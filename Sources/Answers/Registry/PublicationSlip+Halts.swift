internal import Console
public import Lifecycle

/// A halt that is sent and lets more devices have the release all the same, now or later.
extension PublicationDraft {
  var halting: PublicationSlip? {
    guard let halt = newHalt else { return nil }
    if halt.at - now > .minutes(1) { return ahead(halt) }
    guard let opening = publication.rollout.first(where: { $0.at > halt.at && $0.percent > 0 }) else { return nil }
    let inForce = publication.rollout.last { $0.at <= max(now, halt.at) } ?? halt
    return inForce.percent == 0 ? ends(halt, with: opening) : notInForce(halt, behind: inForce)
  }

  /// The last one that was not registered before. Who registers a release for the first time may tell all of its past.
  private var newHalt: RolloutStep? {
    guard let before else { return nil }
    return publication.rollout.last { $0.percent == 0 && !before.rollout.contains($0) }
  }

  /// As of a machine whose clock is ahead.
  private func ahead(_ halt: RolloutStep) -> PublicationSlip? {
    guard let percent = publication.rollout.last(where: { $0.at <= now })?.percent, percent > 0 else { return nil }
    return .init(
      .haltAhead,
      """
      its halt comes only in \(duration(seconds: Double((halt.at - now).rawValue) / 1000)), at \(halt.at.words): until then \
      \(percentWords(percent))% of devices may have it
      to halt it now: \(.haltNow(publication.halted(at: now)))
      """)
  }

  /// As of a machine whose clock is behind.
  private func notInForce(_ halt: RolloutStep, behind step: RolloutStep) -> PublicationSlip {
    .init(
      .haltNotInForce,
      """
      its halt at \(halt.at.words) is not in force: the step to \(percentWords(step.percent))% at \(step.at.words) comes after it, and \
      \(percentWords(step.percent))% of devices may have it
      to halt it now: \(.haltNow(publication.halted(at: now)))
      """)
  }

  private func ends(_ halt: RolloutStep, with opening: RolloutStep) -> PublicationSlip {
    .init(
      .haltEnds,
      """
      its halt at \(halt.at.words) ends by itself: the step to \(percentWords(opening.percent))% at \(opening.at.words) opens it again
      to halt it for good: \(.haltNow(publication.halted(at: max(now, halt.at))))
      """)
  }
}

extension Publication {
  /// The steps that it took, and a halt; planned steps go. One to everybody where none are registered.
  public func halted(at instant: Timestamp) -> Publication {
    var copy = self
    let steps = rollout.isEmpty ? [RolloutStep(at: publishedAt, percent: 100)] : rollout
    let taken = steps.filter { $0.at < instant }
    copy.rollout = taken + (taken.last?.percent == 0 ? [] : [RolloutStep(at: instant, percent: 0)])
    return copy
  }
}
