import Lifecycle
import Store

/// What is asked about reach, the same for every shard; a class, so that no core copies all that it holds.
final class ReachCounting {
  let chosen: ReleaseScope
  let windows: [Milliseconds]
  let instants: [Timestamp]
  let past: [Timestamp]
  let cutOff: Timestamp
  let vocabulary: Vocabulary
  let profiles: ProfileTable
  let slices: DeviceSlices
  let moments: ReachMoments
  /// The greatest number of a release.
  let releases: Int
  /// The channels that the release came to.
  private let ownChannels: Set<String>

  init(
    _ vocabulary: Vocabulary, _ chosen: ReleaseScope, windows: [Milliseconds], instants: [Timestamp], past: [Timestamp],
    cutOff: Timestamp
  ) {
    (self.vocabulary, self.chosen, self.windows) = (vocabulary, chosen, windows)
    (self.instants, self.past, self.cutOff) = (instants, past, cutOff)
    profiles = ProfileTable(vocabulary)
    slices = DeviceSlices(profiles, chosen.selection)
    moments = ReachMoments(series: instants, past: past, cutOff: cutOff)
    releases = vocabulary.greatestRelease
    ownChannels = Set(chosen.timeline.channels(of: chosen.target.id))
  }

  /// The channel of a segment that the release never came to; nil where it did, and where channels are told apart.
  func elsewhere(_ group: Group) -> String? {
    let channel = group.channel ?? Group.unnamed
    let selection = chosen.selection
    let isOfAll = selection.channels.isEmpty && !selection.by.contains(.channel) && !ownChannels.isEmpty
    return isOfAll && !ownChannels.contains(channel) ? channel : nil
  }

  var need: Need {
    let offers = JourneyColumns(JourneyTable.offers + JourneyTable.update).union(.buckets)
    return Need(
      app: chosen.selection.app, chosen.selection.population, journeys: [chosen.target.id: offers],
      devices: [.runs, .buckets])
  }

  var empty: ReachTally.Cell {
    ReachTally.Cell(
      now: Array(repeating: ReachCounts(), count: windows.count),
      series: Array(repeating: ReachCounts(), count: instants.count),
      past: Array(repeating: ReachCounts(), count: past.count))
  }
}

/// What devices run, by what the answer is split by.
struct ReachSum {
  var groups: [Group: ReachTally.Cell]
  /// Of these reachable devices, where the answer is of all channels together: on which channels that the release never came to.
  var elsewhere: [String: Int] = [:]
  /// The newest contact.
  var newest: Timestamp?
}
