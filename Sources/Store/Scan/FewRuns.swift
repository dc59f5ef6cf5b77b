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
  /// - Parameter select: the number of the row of an app, shard and part.
  static func open(_ select: borrowing Statement, _ place: DevicePlace) throws(StoreError) -> FewRuns? {
    let parts = RunLists.Parts.settled
    guard let keys = try StoredColumn.open(select, place, parts.keyPlaces),
      let starts = try StoredColumn.open(select, place, parts.starts),
      let lengths = try StoredColumn.open(select, place, parts.lengths)
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

/// A packed column in the file.
struct StoredColumn: ~Copyable {
  private static let head = 14
  private let blob: BlobReader
  let count: Int
  private let base: Int64
  private let width: Int

  private init(_ blob: consuming BlobReader, count: Int, base: Int64, width: Int) {
    (self.count, self.base, self.width) = (count, base, width)
    self.blob = blob
  }

  /// Of a shard of devices; nil where it is not stored, or as below.
  static func open(
    _ select: borrowing Statement, _ place: DevicePlace, _ part: Int64
  ) throws(StoreError) -> StoredColumn? {
    let row = try select.first(.integer(place.app), .integer(Int64(place.shard)), .integer(part)) { $0.integer(0) }
    guard let row else { return nil }
    return try open(BlobReader(beside: select, table: "device", row: row))
  }

  /// nil where numbers do not lie in it one after another.
  static func open(_ blob: consuming BlobReader) throws(StoreError) -> StoredColumn? {
    guard blob.count >= head else { return nil }
    let bytes = try blob.read(0..<head)
    let (form, count, base, width) = bytes.withUnsafeBytes { bytes in
      (
        bytes[0], Int(PackedColumn.read(bytes, at: 1, width: 4)),
        Int64(bitPattern: PackedColumn.read(bytes, at: 5, width: 8)), Int(bytes[13])
      )
    }
    guard form == 0, 1...8 ~= width, blob.count == head + count * width else { return nil }
    return StoredColumn(blob, count: count, base: base, width: width)
  }

  /// - Parameter range: within the count.
  func numbers(_ range: Range<Int>) throws(StoreError) -> [Int64] {
    guard !range.isEmpty else { return [] }
    let bytes = try blob.read((Self.head + range.lowerBound * width)..<(Self.head + range.upperBound * width))
    return bytes.withUnsafeBytes { bytes in
      (0..<range.count).map { base &+ Int64(bitPattern: PackedColumn.read(bytes, at: $0 * width, width: width)) }
    }
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
