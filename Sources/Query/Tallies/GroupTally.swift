import Lifecycle
import Store

/// A tally that sorts what devices did into the groups asked for.
protocol GroupTally: Tally {
  associatedtype Counts: Countable
  var newest: NewestContact { get set }
  var counts: GroupCounts<Counts> { get set }
}

extension GroupTally {
  var groups: [(key: Labels, value: Counts)] { counts.groups }

  mutating func add(_ other: Self, times: Int) {
    newest.add(other.newest, times: times)
    counts.add(other.counts, times: times)
  }
}

extension ShardPage {
  /// Whether a device spoke after an instant that lies a day or more before the cutoff.
  func spoke(_ index: Int, after instant: Int64, until cutOff: Int64) throws -> Bool {
    try spansTellWhetherSpoke(index, instant, cutOff) ?? runs(of: index).spoke(index, after: instant, until: cutOff)
  }

  private func spansTellWhetherSpoke(_ index: Int, _ instant: Int64, _ cutOff: Int64) -> Bool? {
    if devices.channels[index] == 0 { return nil }
    for span in devices.spanOffsets[index]..<devices.spanOffsets[index + 1]
    where devices.spanStarts[span] <= cutOff && devices.spanEnds[span] > instant {
      let endsBefore = devices.spanEnds[span] <= cutOff
      if endsBefore || devices.spanStarts[span] > instant { return true }
      // No silence in a span is as long as that: one that began by the instant had ended before the cutoff.
      return cutOff - instant >= DeviceOutlines.longestSilence.rawValue ? true : nil
    }
    return false
  }
}
