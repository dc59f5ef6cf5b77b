internal import Lifecycle
internal import Query
internal import Report
internal import Store

extension Asking {
  /// The newest release of each channel and the one before it there; of many channels the first.
  func versus(_ snapshot: borrowing Snapshot) throws -> [Planned<Versus>] {
    let timeline = Timeline(snapshot.vocabulary, app: app)
    let newest = looked.channels.sorted(by: channelsInOrder).compactMap { channel in
      timeline.newest(on: channel, at: order.now).map { (release: $0, channel: channel) }
    }
    return try newest.prefix(Versus.mostChannels).enumerated().map { place, newest in
      try versus(snapshot, newest.release, newest.channel, "v\(place)")
    }
  }

  private func versus(
    _ snapshot: borrowing Snapshot, _ newest: ReleaseRecord, _ channel: String, _ name: String
  ) throws -> Planned<Versus> {
    var chosen = try chosen(snapshot, newest.label)
    chosen.selection.channels = [channel]
    let label = newest.label.rawValue
    guard let other = chosen.timeline.precedents(of: newest, chosen.selection).first else {
      return Planned([]) { _, _ in Versus(channel: channel, release: label, other: nil, compared: nil) }
    }
    var options = Compare.Options()
    options.ages = Versus.ages.map { .seconds($0) }
    let compared = plan(
      name, chosen, [("at", seconds(Versus.ages))], against: other.label.rawValue,
      Compare.Question(snapshot.vocabulary, chosen, with: other, options))
    return Planned(compared.counts) { ledger, snapshot in
      Versus(
        channel: channel, release: label, other: other.label.rawValue, compared: try compared.value(ledger, snapshot))
    }
  }
}
