import Lifecycle
import Store

/// A release that was lately taken back from a channel on which nothing else is out: no row says that devices run it.
struct WithdrawnCase {
  private let record: ReleaseRecord
  private let channel: String
  private let standings: ReachCounting

  /// nil where it was not taken back there, or longer ago than the reach window.
  fileprivate init?(
    _ record: ReleaseRecord, on channel: String, _ timeline: Timeline, _ vocabulary: Vocabulary, _ extent: FleetScope
  ) {
    var chosen = ReleaseScope(record, of: extent.app, timeline, now: extent.now)
    guard let at = record.withdrawnAt(channel, extent.platforms, until: extent.now),
      extent.now - at < chosen.selection.reachWindow
    else { return nil }
    (chosen.selection.channels, chosen.selection.platforms) = ([channel], extent.platforms)
    (chosen.selection.only, chosen.selection.includesEmulators) = (extent.only, extent.includesEmulators)
    (chosen.selection.population, chosen.selection.minCell) = (extent.population, extent.minCell)
    (self.record, self.channel) = (record, channel)
    standings = ReachCounting(
      vocabulary, chosen, windows: [chosen.selection.reachWindow], instants: [], past: [], cutOff: extent.now)
  }

  var counts: any Counting { standings }

  func warnings(_ ledger: Ledger) -> [Warning] {
    let selection = standings.chosen.selection
    let devices = RunningReleases(ledger[standings], standings).of(record.label.rawValue)
    return Warning.withdrawn(record, from: [channel], selection.platforms, now: selection.now) { _ in
      selection.smallGroups.told(devices) ?? 0
    }
  }
}

extension Timeline {
  /// On the channels that are looked at.
  func withdrawnAlone(_ vocabulary: Vocabulary, _ extent: FleetScope) -> [WithdrawnCase] {
    named.flatMap { record in
      Set(record.withdrawals.map(\.channel)).sorted().compactMap { channel -> WithdrawnCase? in
        guard extent.channels.isEmpty || extent.channels.contains(channel),
          current(on: channel, platforms: extent.platforms, at: extent.now).isEmpty
        else { return nil }
        return WithdrawnCase(record, on: channel, self, vocabulary, extent)
      }
    }
  }
}
