import Lifecycle

/// The contact runs of single devices of a shard, each read from the middle of its columns when somebody asks for it.
///
/// A class, so that columns that are open in the file go with the shard. Only for who has the turn.
final class SingleRuns {
  private let settled: FewRuns
  private let devices: [UInt64]
  /// Where each device's settled runs begin; one more at the end.
  private let offsets: [Int]
  /// The keys that occur in settled runs.
  private let keys: [Int64]
  private let recent: RunLists

  /// nil where runs must be read whole.
  init?(_ settled: consuming FewRuns, _ parts: PackedParts) {
    var offsets: [Int] = []
    parts.read(RunLists.Parts.settled.counts) { PackedColumn.unpack(lengths: $0, into: &offsets) }
    keys = parts.read(RunLists.Parts.settled.keys) { PackedColumn.unpack($0) }
    var devices: [UInt64] = []
    parts.read(DeviceShard.Part.devices.rawValue) { PackedColumn.unpack($0, into: &devices, JourneyShard.hash) }
    (self.devices, self.offsets, recent) = (devices, offsets, RunLists(parts, as: .recent))
    self.settled = settled
    guard offsets.count == devices.count + 1 else { return nil }
  }

  /// None of a device that is not stored; nil where the columns do not hold what they should.
  func runs(of device: UInt64) throws(StoreError) -> [ContactRun]? {
    guard let place = devices.index(ofDevice: device) else { return [] }
    guard offsets[place] <= offsets[place + 1],
      let own = try settled.runs(offsets[place]..<offsets[place + 1], keys: keys)
    else { return nil }
    return recent.runs.isEmpty ? own : own.union(recent[place])
  }
}
