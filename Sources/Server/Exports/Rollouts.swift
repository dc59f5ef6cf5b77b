internal import Lifecycle
internal import Query
internal import Report
internal import Store

extension Asking {
  /// The releases that are told of: those that were asked for, else of each channel the newest and whatever was
  /// published or replaced since.
  func rollouts(
    _ snapshot: borrowing Snapshot, since: Timestamp, releases: [String] = [], channels: [String] = []
  ) throws -> [Rollout] {
    let timeline = Timeline(snapshot.vocabulary, app: app)
    for label in releases { _ = try chosen(snapshot, ReleaseLabel(rawValue: label)) }
    var asked: [ReleaseScope] = []
    for channel in channels.isEmpty ? looked.channels : Set(channels).sorted() {
      for record in told(timeline, channel, since: since, releases) {
        var chosen = try chosen(snapshot, record.label)
        (chosen.selection.channels, chosen.selection.minCell) = ([channel], 0)
        asked.append(chosen)
      }
    }
    try snapshot.count(asked.flatMap { try ground(snapshot, $0) }, into: ledger)
    let standings = try asked.map { chosen in
      let channel = chosen.selection.channels[0]
      return try standing(snapshot, chosen, facts(chosen, on: channel, lead: channel), "export")
    }
    return try snapshot.values(standings, after: ledger).map { Rollout($0, app: app, now: now) }
  }

  /// Oldest first. Many releases that nobody registered may be heard of on one day: the ten newest are enough.
  private func told(
    _ timeline: Timeline, _ channel: String, since: Timestamp, _ releases: [String]
  ) -> [ReleaseRecord] {
    let published = timeline.releases.compactMap { record in
      timeline.start(record.id, channel: channel, platform: nil).map { (record: record, at: $0.publishedAt) }
    }.filter { $0.at <= now }.sorted { ($0.at, $0.record.label.rawValue) < ($1.at, $1.record.label.rawValue) }
    guard releases.isEmpty else {
      return published.map(\.record).filter { releases.contains($0.label.rawValue) }
    }
    return published.enumerated().filter { place, entry in
      let end = timeline.replacedAt(entry.record.id, channel: channel)
      return place == published.count - 1 || entry.at >= since || end.map { $0 >= since && $0 <= now } ?? false
    }.suffix(10).map(\.element.record)
  }
}
