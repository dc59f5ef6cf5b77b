import Console
import Lifecycle
import Statistics

/// When a verdict may be another one, and what would make it one.
extension VerdictEvidence {
  /// When the answer may be another one.
  func lookAgain(_ reasons: [Verdict.Reason]) -> Timestamp? {
    switch reasons[0].condition {
    case .replaced, .crashing, .rollingBack, .failing: nil
    case .halted: opening?.at
    case .fallingSilent: now + .hours(1)
    case .scheduled: start.publishedAt
    // Crashes and rollbacks count until now, whatever the others wait for.
    case .unsettled where reasons[0].subject == .publication && isPublishedAgain: min(knownAgain, now + .hours(1))
    case .unsettled: isHigh(reasons) ? nextLook : min(settling ?? now + .hours(1), now + .hours(1))
    case .stale, .noLimit: now + .hours(1)
    case .undone, .belowObjective, .slow: now + (followed < .days(3) ? .hours(1) : .hours(6))
    case .healthy: nextStep ?? now + (followed < .days(3) ? .hours(1) : .days(1))
    }
  }

  /// Whether something lies above its limit: the next look may find that it does for certain.
  private func isHigh(_ reasons: [Verdict.Reason]) -> Bool {
    let rule = attempts?.stopRule
    let isFailing = rule.map { Double($0.watchedFailures) > $0.limit * Double($0.watched) } ?? false
    return isFailing || reasons.contains { $0.condition == .unsettled && $0.isHigh }
  }

  private var nextLook: Timestamp {
    let grid = LookGrid(from: start.publishedAt)
    return grid.last(until: now).map { grid.instant(of: $0 + 1) } ?? now + LookGrid.step
  }

  /// How far the data are complete behind the present.
  var lag: Milliseconds {
    max(.seconds(0), Milliseconds(rawValue: (now - start.publishedAt).rawValue - followed.rawValue))
  }

  private var nextStep: Timestamp? { start.rollout.map(\.at).filter { $0 > now }.min() }

  /// The step that ends a halt by itself: one that was planned, or a first one by a clock that is ahead.
  var opening: RolloutStep? { start.rollout.filter { $0.at > now && $0.percent > 0 }.min { $0.at < $1.at } }

  /// When enough launches will be a day old, if no other device launches it; nil where they are, or there are too few.
  private var settling: Timestamp? { launches.settling(Verdict.fewestDevices).map { now + $0 + lag } }

  func wouldChange(_ first: Verdict.Reason) -> String {
    switch first.condition {
    case .replaced: "nothing: a newer release took its place"
    case .scheduled: "its publication"
    case .crashing, .rollingBack, .failing: mendedOrOverruled(first)
    case .fallingSilent: "devices that took it and speak again, or a newer release that mends it"
    case .undone: "devices that run it again, or a newer release"
    case .halted:
      opening.map { "its step to \(share($0.percent / 100)) at \($0.at.words)" } ?? "a rollout step above 0%"
    case .stale: newest == nil ? "a first event" : "events that arrive again"
    case .noLimit: "a limit given with --limit, or an earlier release with attempts to set one"
    case .unsettled where first.subject == .silence:
      "devices that took it and speak again, a week in which none takes it, or a newer release that mends it"
    case .unsettled where first.subject == .speed: "events that arrive again"
    case .unsettled where first.subject == .publication && isPublishedAgain:
      "a day from then in which few devices crash: at \(knownAgain.words)"
    case .unsettled where isGivenToNobody, .slow where isGivenToNobody: "a first device that tries to get it"
    case .unsettled: moreDevices(first)
    case .belowObjective: "a higher share, or another objective"
    case .slow where isHardlyRun(first): "devices that say that they run it"
    case .slow: "adoption within \(decimal(Verdict.slowMargin * 100, 0)) points of the release before"
    case .healthy:
      "first attempts, crashes or rollbacks above their limits; or no device heard of for \(lengthWords(Verdict.stalest))"
    }
  }

  /// What past releases set for crashes and rollbacks stands beside `--harm-limit`: no option lifts it, and none is named then. A release that is opened again has
  /// new looks, over all of its devices: where the newest figures lie above the limit the first of them stops it again.
  private func mendedOrOverruled(_ first: Verdict.Reason) -> String {
    let option = first.condition == .failing ? "--limit" : "--harm-limit"
    let higher = liftingPercent(first).map { "with \(option) \($0)% or more, or " } ?? ""
    let opening = percent == 0 ? "by opening it again" : "by setting the rollout to 0% and opening it again"
    return "a newer release that mends it; or you do: \(higher)\(opening),"
      + " once its newest figures alone would not stop it" + countedOn
  }

  /// Who mends a build and gives it out under the same label finds what the old one did in its figures.
  private var countedOn: String {
    start.reopenedAt(until: now).map {
      "; it was opened again at \($0.words), and what devices did with it before counts on: what is mended needs a label of its own"
    } ?? ""
  }
}
