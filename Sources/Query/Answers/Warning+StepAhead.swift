internal import Console
import Lifecycle
import Store

extension Warning {
  /// A planned step lets more devices have a release that is to be stopped.
  public static let stepAhead = "step_ahead"

  /// The first such step, on the platforms that the verdict is about; nil where none is planned. A publication for all is for those that
  /// have none of their own.
  static func stepAhead(_ row: Verdict, _ timeline: Timeline, now: Timestamp) -> Warning? {
    guard row.decision == .stop, let record = timeline.record(ReleaseLabel(rawValue: row.release)) else { return nil }
    let there = record.publications.filter { $0.channel == row.channel }
    let apart = Set(there.compactMap(\.platform))
    let own = there.filter { publication in
      row.platforms.isEmpty
        || publication.platform.map { row.platforms.contains($0) } ?? !apart.isSuperset(of: row.platforms)
    }
    let steps = own.compactMap { publication in
      Timeline.Start(publication).widening(after: now).map { (publication: publication, step: $0) }
    }
    guard let (publication, step) = steps.min(by: { $0.step.at < $1.step.at }) else { return nil }
    let platform = publication.platform.map { " (\(named($0)))" } ?? ""
    return Warning(
      stepAhead,
      "\(named(row.release)) on \(named(row.channel))\(platform) is to be stopped, and its rollout goes on by itself: the step to"
        + " \(stepWords(step.percent)) at \(step.at.words) opens unless it is halted",
      command: publication.command(to: "halt"))
  }
}

extension Timeline.Start {
  /// The next planned step that lets more devices have it than may.
  fileprivate func widening(after now: Timestamp) -> RolloutStep? {
    let share = percent(at: now) ?? 0
    return rollout.filter { $0.at > now && $0.percent > share }.min { $0.at < $1.at }
  }
}
