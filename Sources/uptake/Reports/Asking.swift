internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// The questions that pages ask of a database.
struct Asking {
  var app: String
  var now: Timestamp
  var cutOff: Timestamp

  func chosen(_ snapshot: borrowing Snapshot, _ label: ReleaseLabel) throws -> Chosen {
    try Chosen(snapshot.vocabulary, app: app, release: label, now: now)
  }

  /// What a release's page shows; nil where the release is yet to be published.
  func release(_ snapshot: borrowing Snapshot, _ label: ReleaseLabel) throws -> ReleaseAnswers? {
    var chosen = try chosen(snapshot, label)
    let channels = try adoption(snapshot, chosen, by: .channel, ages: [])
    let facts = facts(chosen, on: leadChannel(chosen, channels))
    if let published = facts.publishedAt, published > now { return nil }
    if !channels.data.isEmpty || chosen.timeline.channels.contains(facts.channel) {
      chosen.selection.channels = [facts.channel]
    }
    let split = try [Grouping.channel, .platform, .appVersion].map { grouping in
      var across = chosen
      if grouping == .channel { across.selection.channels = [] }
      return try adoption(snapshot, across, by: grouping, ages: [facts.segmentAge])
    }
    return ReleaseAnswers(
      standing: try standing(snapshot, chosen, facts),
      waiting: try adoption(snapshot, chosen, by: nil, ages: facts.ages),
      segments: split,
      reach: try Reach.answer(snapshot, chosen), funnel: try Funnel.answer(snapshot, chosen),
      forecast: facts.supersededAt == nil ? try Forecast.answer(snapshot, chosen) : nil)
  }

  /// How the newest release of each channel stands there.
  func current(_ snapshot: borrowing Snapshot, known: [Standing]) throws -> [Standing] {
    let timeline = Timeline(snapshot.vocabulary, app: app)
    return try timeline.channels.compactMap { channel in
      let published = timeline.releases.compactMap { record in
        timeline.start(record.id, channel: channel, platform: nil).map { (record: record, at: $0.publishedAt) }
      }
      guard let newest = published.filter({ $0.at <= now }).max(by: { $0.at < $1.at })?.record else { return nil }
      if let standing = known.first(where: {
        $0.facts.label == newest.label.rawValue && $0.facts.channel == channel
      }) {
        return standing
      }
      var chosen = try chosen(snapshot, newest.label)
      chosen.selection.channels = [channel]
      return try standing(snapshot, chosen, facts(chosen, on: channel))
    }
  }

  func standing(_ snapshot: borrowing Snapshot, _ chosen: Chosen, _ facts: ReleaseFacts) throws -> Standing {
    var sinceRelease = chosen
    sinceRelease.selection.clock = .releaseAge
    var options = TimeToUpdate.Options()
    options.points = 300
    return Standing(
      facts: facts, adoption: try adoption(snapshot, sinceRelease, by: nil, ages: facts.ages),
      speed: try TimeToUpdate.answer(snapshot, chosen, options), failures: try Failures.answer(snapshot, chosen))
  }

  /// With a curve only where the answer is not split.
  private func adoption(
    _ snapshot: borrowing Snapshot, _ chosen: Chosen, by grouping: Grouping?, ages: [Int64]
  ) throws -> Answer<Counted<Adoption>> {
    var chosen = chosen
    chosen.selection.by = grouping.map { [$0] } ?? []
    var options = Adoption.Options()
    options.ages = ages.map { .seconds($0) }
    if grouping != nil { (options.points, options.baseline) = (2, .none) }
    return try Adoption.answer(snapshot, chosen, options)
  }

  private func leadChannel(_ chosen: Chosen, _ channels: Answer<Counted<Adoption>>) -> String {
    let busiest = channels.data.max {
      ($0.counts.devices, $1.group.channel ?? "") < ($1.counts.devices, $0.group.channel ?? "")
    }
    if let busiest, busiest.counts.devices > 0, let channel = busiest.group.channel { return channel }
    return chosen.timeline.channels(of: chosen.target.id).first ?? busiest?.group.channel ?? "production"
  }

  func facts(_ chosen: Chosen, on channel: String) -> ReleaseFacts {
    let (timeline, id) = (chosen.timeline, chosen.target.id)
    let start = timeline.start(id, channel: channel, platform: nil)
    let end = timeline.supersededAt(id, channel: channel, platform: nil).flatMap { $0 <= cutOff ? $0 : nil }
    return ReleaseFacts(
      label: chosen.target.label.rawValue, channel: channel,
      alsoOn: timeline.channels(of: id).filter { $0 != channel }, publishedAt: start?.publishedAt,
      isInferred: start?.isInferred ?? false, rollout: start?.rollout ?? [], mandatory: start?.mandatory ?? false,
      supersededAt: end, cutOff: cutOff)
  }
}
