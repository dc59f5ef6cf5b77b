import Lifecycle

/// The runs of a few devices of a shard, read from the middle of its columns: whole ones are megabytes.
struct FewRuns: ~Copyable {
  private let keys, starts, lengths: StoredColumn

  private init(_ keys: consuming StoredColumn, _ starts: consuming StoredColumn, _ lengths: consuming StoredColumn) {
    self.keys = keys
    self.starts = starts
    self.lengths = lengths
  }

  /// nil where a column is not there, or of the form for columns that are mostly empty.
  ///
  static func open(_ rows: DeviceRows, _ place: DevicePlace) throws(StoreError) -> FewRuns? {
    let parts = RunLists.Parts.settled
    guard let keys = try StoredColumn.open(rows, place, parts.keyPlaces),
      let starts = try StoredColumn.open(rows, place, parts.starts),
      let lengths = try StoredColumn.open(rows, place, parts.lengths)
    else { return nil }
    guard keys.count == starts.count, keys.count == lengths.count else { return nil }
    return FewRuns(keys, starts, lengths)
  }

  var count: Int { keys.count }

  /// nil where the columns are damaged.
  ///
  /// - Parameter list: the keys that occur.
  func runs(_ range: Range<Int>, keys list: [Int64]) throws(StoreError) -> [ContactRun]? {
    guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
    let (numbers, starts, lengths) = (try keys.numbers(range), try starts.numbers(range), try lengths.numbers(range))
    var runs: [ContactRun] = []
    for index in numbers.indices {
      guard list.indices.contains(Int(truncatingIfNeeded: numbers[index])), 0...(1 << 52) ~= lengths[index],
        -(1 << 51)...(1 << 51) ~= starts[index]
      else { return nil }
      runs.append(
        ContactRun(
          key: UInt64(bitPattern: list[Int(numbers[index])]), start: Timestamp(rawValue: starts[index]),
          end: Timestamp(rawValue: starts[index] + lengths[index])))
    }
    return runs
  }
}

extension DeviceShard {
  /// The parts that are read beside the pieces.
  static let besidePieces = RunLists.Parts.recent.all.union([
    RunLists.Parts.settled.counts, RunLists.Parts.settled.keys, Part.devices.rawValue, Part.buckets.rawValue,
  ])

  /// Of some devices those that are stored; read in pieces. nil where they must be read whole.
  ///
  /// - Parameter some: in order.
  init?(
    _ runs: borrowing FewRuns, _ parts: PackedParts, _ outlines: DeviceOutlines, of some: [UInt64]
  ) throws(StoreError) {
    self.init()
    var offsets: [Int] = []
    parts.read(RunLists.Parts.settled.counts) { PackedColumn.unpack(lengths: $0, into: &offsets) }
    let keys = parts.read(RunLists.Parts.settled.keys) { PackedColumn.unpack($0) }
    let (column, recent) = (parts.view(Part.buckets.rawValue), RunLists(parts, as: .recent))
    guard offsets.count == outlines.devices.count + 1, column.count == outlines.devices.count else { return nil }
    for place in outlines.places(of: some) {
      guard offsets[place] <= offsets[place + 1],
        let own = try runs.runs(offsets[place]..<offsets[place + 1], keys: keys)
      else { return nil }
      devices.append(outlines.devices[place])
      self.runs += recent.runs.isEmpty ? own : own.union(recent[place])
      runOffsets.append(self.runs.count)
      buckets.append(column[place])
      for sighting in outlines.profileOffsets[place]..<outlines.profileOffsets[place + 1] {
        profiles.append(
          ProfileSighting(
            profile: outlines.profiles[sighting], firstSeen: Timestamp(rawValue: outlines.profileTimes[sighting])))
      }
      profileOffsets.append(profiles.count)
    }
  }
}

extension DeviceOutlines {
  /// Where some devices lie, of those that are in it.
  ///
  /// - Parameter some: in order.
  func places(of some: [UInt64]) -> [Int] {
    var (places, next) = ([Int](), 0)
    for device in some {
      next = devices.firstPlace(from: next) { $0 >= device }
      guard next < devices.count, devices[next] == device, places.last != next else { continue }
      places.append(next)
    }
    return places
  }
}
