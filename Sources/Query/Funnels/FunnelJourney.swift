import Lifecycle
import Store

/// One device's way through the stages of a release, up to a cut-off.
struct FunnelJourney {
  static let stages: [Milestone] = [
    .available, .downloadStarted, .downloadCompleted, .verified, .ready, .applied, .confirmed,
  ]

  /// When each stage was seen; nil where it was not.
  private let seen: [Timestamp?]
  private let failedAt: Timestamp?
  private let newerAt: Timestamp?

  /// nil where no stage was seen.
  init?(_ journey: JourneyView, newer: [JourneyView], until cutOff: Timestamp) {
    func at(_ milestone: Milestone, _ journey: JourneyView) -> Timestamp? {
      let first = journey.first(milestone)
      return first.happened && first.at <= cutOff ? first.at : nil
    }
    var seen = Self.stages.map { at($0, journey) }
    let applied = 5
    // A device that was offered the release and later runs it has applied it, whoever saw that.
    if seen[applied] == nil, let begun = seen.compactMap(\.self).min(), let running = at(.running, journey),
      running >= begun
    {
      seen[applied] = running
    }
    guard seen.contains(where: { $0 != nil }) else { return nil }
    self.seen = seen
    failedAt = [at(.failed, journey), at(.rolledBack, journey)].compactMap(\.self).min()
    newerAt = newer.flatMap { [at(.applied, $0), at(.running, $0)] }.compactMap(\.self).min()
  }

  func saw(_ stage: Int) -> Bool { seen[stage] != nil }
  var isConfirmed: Bool { saw(Self.stages.count - 1) }

  /// When the stage had been reached at the latest: when it or any later one was first seen.
  func reached(_ stage: Int) -> Timestamp? { seen[stage...].compactMap(\.self).min() }

  enum Ending { case next, failed, newerRelease }

  /// How the step after a stage ended, and whether it was reached in spite of a failure; nil where the entry was not seen.
  func step(after stage: Int) -> (entry: Timestamp, end: Timestamp?, ending: Ending?, recovered: Bool)? {
    guard let entry = seen[stage] else { return nil }
    let next = reached(stage + 1)
    let failed = failedAt.flatMap { $0 >= entry ? $0 : nil }
    let newer = newerAt.flatMap { $0 >= entry ? $0 : nil }
    let first = [next, failed, newer].compactMap(\.self).min()
    guard let first else { return (entry, nil, nil, false) }
    if let next, next <= first { return (entry, next, .next, false) }
    return failed == first ? (entry, first, .failed, next != nil) : (entry, first, .newerRelease, false)
  }
}
