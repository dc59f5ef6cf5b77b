internal import Console
import Lifecycle
import Store

/// Rollouts that were widened after a cutoff: what is counted up to there is of the devices that could have the release before.
extension Timeline {
  /// The step of each platform; one for all where they are alike. After a newer release came a step lets nobody in.
  func widened(
    _ record: ReleaseRecord, on channel: String, _ platforms: [String], _ end: CutOff, now: Timestamp
  ) -> [TooNew.Publication] {
    let places = record.platforms(on: channel, platforms)
    let steps = places.compactMap { platform -> TooNew.Publication? in
      let next = supersededAt(record.id, channel: channel, platform: platform) ?? now
      let start = start(record.id, channel: channel, platform: platform)
      return start?.widened(after: end.at, until: min(next, now)).map { step in
        TooNew.Publication(
          release: record.label.rawValue, channel: channel, platform: platform, at: step.at, percent: step.percent)
      }
    }
    return steps.count == places.count ? steps.alike : steps
  }
}

extension Timeline.Start {
  /// The first step to the most that devices were let in since, where that is more than before.
  fileprivate func widened(after cutOff: Timestamp, until end: Timestamp) -> RolloutStep? {
    guard publishedAt < cutOff else { return nil }
    let before = rollout.filter { $0.at < cutOff }.map(\.percent).max() ?? 0
    let since = rollout.filter { CutOff.isTooNew($0.at, cutOff, now: end) && $0.percent > before }
    return since.max { ($0.percent, $1.at) < ($1.percent, $0.at) }
  }
}

extension ReleaseScope {
  /// On the channels that are looked at.
  func widened(_ record: ReleaseRecord, _ end: CutOff) -> [TooNew.Publication] {
    (selection.channels.isEmpty ? timeline.channels : selection.channels).flatMap {
      timeline.widened(record, on: $0, selection.platforms, end, now: selection.now)
    }
  }
}

extension Warning {
  public static let widenedAfterData = "widened_after_data"

  /// nil where none was.
  static func widened(_ steps: [TooNew.Publication], _ end: CutOff, _ what: String) -> Warning? {
    if steps.isEmpty { return nil }
    return Warning(widenedAfterData, "widened after the cutoff (\(end.words)): \(TooNew.list(steps)); \(what)")
  }
}

extension Releases {
  static func widened(_ rows: [Releases], _ timeline: Timeline, _ platforms: [String], now: Timestamp, _ end: CutOff)
    -> [Warning]
  {
    let steps = rows.flatMap { row in
      timeline.record(ReleaseLabel(rawValue: row.release)).map {
        timeline.widened($0, on: row.channel, platforms, end, now: now)
      } ?? []
    }
    return [
      .widened(steps, end, "devices, adoption and attempts are of those that could have it before")
    ].compactMap(\.self)
  }
}

extension VerdictCase {
  func widened(_ end: CutOff) -> Warning? {
    .widened(
      chosen.widened(chosen.target, end), end,
      "its adoption and first attempts are of the devices that could have it before; uptake adoption --provisional counts until now"
    )
  }
}
