/// Where the single events of some devices lie: the blocks of the event table that hold any, device by device.
///
/// An index on the device column would cost an insert many times its price; this costs a fold two bytes an event, and
/// a device's events are found by reading a few blocks of 1024 rows.
struct TrailShard {
  static let blockBits: Int64 = 10
  static let eraBits: Int64 = 22

  private(set) var devices: [UInt64] = []
  private var offsets: [Int] = [0]
  /// Numbers of blocks within the era, ascending for each device.
  private var blocks: [Int64] = []

  init() {}

  func blocks(of device: UInt64) -> ArraySlice<Int64> {
    let index = devices.firstPlace { $0 >= device }
    guard index < devices.count, devices[index] == device else { return [] }
    return blocks[offsets[index]..<offsets[index + 1]]
  }

  /// The shard with more sightings in it.
  ///
  /// - Parameter added: in order of device and block.
  func merging(_ added: ArraySlice<TrailFact>) -> TrailShard {
    var merged = TrailShard()
    var own: [Int64] = []
    var (old, next) = (0, added.startIndex)
    while next < added.endIndex {
      let device = added[next].device
      let untouched = devices.firstPlace(from: old) { $0 >= device }
      merged.append(self, old..<untouched)
      old = untouched
      own.removeAll(keepingCapacity: true)
      if old < devices.count, devices[old] == device {
        own += blocks[offsets[old]..<offsets[old + 1]]
        old += 1
      }
      // Events are read by number, so blocks nearly always ascend.
      while next < added.endIndex, added[next].device == device {
        let (block, last) = (added[next].block, own.last ?? -1)
        if block > last || block < last && !own.contains(block) { own.append(block) }
        next += 1
      }
      own.sort()
      merged.devices.append(device)
      merged.blocks += own
      merged.offsets.append(merged.blocks.count)
    }
    merged.append(self, old..<devices.count)
    return merged
  }

  private mutating func append(_ other: TrailShard, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    devices += other.devices[range]
    blocks += other.blocks[other.offsets[range.lowerBound]..<other.offsets[range.upperBound]]
    offsets.append(other.offsets, range)
  }
}

/// A device had an event in a block.
struct TrailFact {
  var device: UInt64
  var block: Int64
}

/// Which trail shard a sighting belongs to: eras of four million rows keep a fold from rewriting the past.
struct TrailPlace: ShardPlace {
  var shard: Int
  var era: Int64
  var mix: Int { Int(truncatingIfNeeded: era) }
  static func < (left: Self, right: Self) -> Bool { (left.shard, left.era) < (right.shard, right.era) }

  init(shard: Int, era: Int64) {
    self.shard = shard
    self.era = era
  }
  static func block(_ sequence: Int64) -> Int32 { Int32(truncatingIfNeeded: sequence >> TrailShard.blockBits) }
  static func era(_ block: Int32) -> Int64 { Int64(block) >> (TrailShard.eraBits - TrailShard.blockBits) }
  static func withinEra(_ block: Int32) -> Int64 {
    Int64(block) & (1 << (TrailShard.eraBits - TrailShard.blockBits) - 1)
  }
  /// The numbers of the events of a block.
  func rows(_ block: Int64) -> ClosedRange<Int64> {
    let first = era << TrailShard.eraBits | block << TrailShard.blockBits
    return first...(first + 1 << TrailShard.blockBits - 1)
  }
}

extension TrailShard {
  var packed: [(part: Int64, bytes: [UInt8])] {
    [
      (0, PackedColumn.pack(devices, JourneyShard.ordered)),
      (1, PackedColumn.pack(lengthsOf: offsets)), (2, PackedColumn.pack(blocks)),
    ]
  }

  /// - Parameter read: calls back with the bytes of a part.
  init(packed read: (Int64, (UnsafeRawBufferPointer) -> Void) throws(StoreError) -> Void) throws(StoreError) {
    var counts: [Int64] = []
    try read(0) { devices = PackedColumn.unpack($0).map(JourneyShard.hash) }
    try read(1) { counts = PackedColumn.unpack($0) }
    try read(2) { blocks = PackedColumn.unpack($0) }
    for count in counts { offsets.append(offsets[offsets.count - 1] + Int(count)) }
  }
}

extension [Int] {
  /// Continues offsets by those of a range of another list, wherever that began.
  mutating func append(_ others: [Int], _ range: Range<Int>) {
    let shift = self[count - 1] - others[range.lowerBound]
    for index in range { append(others[index + 1] + shift) }
  }
}
