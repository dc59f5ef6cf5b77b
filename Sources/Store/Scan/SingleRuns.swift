import Lifecycle

/// The contact runs of single devices of one shard as they are stored, each read once. Columns that are open in the file go with it, so
/// that only who has the turn lets go of it.
final class KnownRuns {
  private enum Columns {
    case unopened, refused
    case open(SingleRuns)
  }
  private let reader: ShardReader
  private var columns = Columns.unopened
  private var known: [UInt64: [ContactRun]] = [:]
  /// Of so many devices they were read.
  private(set) var count = 0

  /// - Parameter resumed: of which no more is told than their last contact.
  init(_ reader: ShardReader, _ resumed: [ResumedDevice] = []) {
    self.reader = reader
    known = Dictionary(resumed.map { ($0.device, [$0.run]) }) { first, _ in first }
  }

  func knows(_ device: UInt64) -> Bool { known[device] != nil }

  /// None of a device that is not stored; nil where runs must be read whole.
  func runs(of device: UInt64, in shard: Int) throws(StoreError) -> [ContactRun]? {
    if let runs = known[device] { return runs }
    guard let opened = try opened(shard),
      let runs = try reader.turn.take({ () throws(StoreError) in try opened.runs(of: device) })
    else { return nil }
    known[device] = runs
    count += 1
    return runs
  }

  private func opened(_ shard: Int) throws(StoreError) -> SingleRuns? {
    switch columns {
    case .open(let opened): return opened
    case .refused: return nil
    case .unopened:
      let opened = try reader.singleRuns(shard)
      columns = opened.map(Columns.open) ?? .refused
      return opened
    }
  }
}

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
