internal import Console
public import Lifecycle

/// A halt that is sent and lets more devices have the release all the same, now or later.
extension PublicationDraft {
  /// Who registers a release for the first time may tell all of its past.
  var halting: PublicationSlip? {
    guard let before else { return nil }
    if let slip = behind(before) { return slip }
    guard let halt = halt(sentOver: before) else { return nil }
    return halt.at - now > .minutes(1) ? ahead(halt) : ends(halt, before)
  }

  /// The last one that was not registered before. What is sent again, as where the answer was lost, is told again.
  private func halt(sentOver before: Publication) -> RolloutStep? {
    let isRepeated = publication.rollout == before.rollout
    return publication.rollout.last { $0.percent == 0 && (isRepeated || !before.rollout.contains($0)) }
  }

  /// As of a machine whose clock is behind: the step in force was registered before. A pause that is told together with its end, or
  /// that began over an hour ago, is none. Of what is known only a few minutes tell a slow clock from a pause.
  private func behind(_ before: Publication) -> PublicationSlip? {
    let taken = publication.rollout.filter { $0.at <= now }
    guard let step = taken.last, step.percent > 0, before.rollout.contains(step),
      let halt = taken.last(where: { $0.percent == 0 }), now - halt.at <= .minutes(60)
    else { return nil }
    let isNew = !before.rollout.contains(halt)
    let isClose = step.at - halt.at <= .minutes(5) && publication.opens(before: halt.at)
    return isNew || isClose ? notInForce(halt, behind: step) : nil
  }

  /// As of a machine whose clock is ahead.
  private func ahead(_ halt: RolloutStep) -> PublicationSlip? {
    let inForce = publication.rollout.last { $0.at <= now }?.percent ?? 0
    let planned = publication.rollout.filter { $0.at > now && $0.at < halt.at }.map(\.percent)
    let highest = planned.reduce(inForce, max)
    guard highest > 0 else { return nil }
    return .init(
      .haltAhead,
      """
      its halt comes only in \(duration(seconds: Double((halt.at - now).rawValue) / 1000)), at \(halt.at.words): until then \
      \(highest > inForce ? "up to " : "")\(percentWords(highest))% of devices may have it
      to halt it now: \(.haltNow(publication.halted(at: now)))
      """)
  }

  private func notInForce(_ halt: RolloutStep, behind step: RolloutStep) -> PublicationSlip {
    .init(
      .haltNotInForce,
      """
      its halt at \(halt.at.words) is not in force: the step to \(percentWords(step.percent))% at \(step.at.words) comes after it, and \
      \(percentWords(step.percent))% of devices may have it
      to halt it now: \(.haltNow(publication.halted(at: now)))
      """)
  }

  /// At its beginning, before it opens to anybody, 0 is no halt.
  private func ends(_ halt: RolloutStep, _ before: Publication) -> PublicationSlip? {
    let reached = max(now, halt.at)
    guard before.opens(before: halt.at) || publication.opens(before: halt.at),
      publication.rollout.last(where: { $0.at <= reached })?.percent == 0,
      let opening = publication.rollout.first(where: { $0.at > reached && $0.percent > 0 })
    else { return nil }
    return .init(
      .haltEnds,
      """
      its halt at \(halt.at.words) ends by itself: the step to \(percentWords(opening.percent))% at \(opening.at.words) opens it again
      to halt it for good: \(.haltNow(publication.halted(at: reached)))
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

  /// Some devices may have it before then.
  fileprivate func opens(before instant: Timestamp) -> Bool {
    rollout.isEmpty ? publishedAt < instant : rollout.contains { $0.at < instant && $0.percent > 0 }
  }
}
