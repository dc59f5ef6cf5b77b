import Lifecycle

/// The parts of a device shard in the `device` table, each a packed column.
extension DeviceShard {
  enum Part: Int64, CaseIterable {
    case devices, runCounts, runKeys, keys, runStarts, runLengths, profileCounts, profiles, profileTimes, buckets
  }

  var packed: [(part: Int64, bytes: [UInt8])] {
    let (keys, keyPlaces) = listedKeys
    return Part.allCases.map { (part: $0.rawValue, bytes: packed($0, keys, keyPlaces)) } + outlines.packed
  }

  private func packed(_ part: Part, _ keys: [UInt64], _ keyPlaces: [Int64]) -> [UInt8] {
    switch part {
    case .devices: PackedColumn.pack(devices, JourneyShard.ordered)
    case .runCounts: PackedColumn.pack(lengthsOf: runOffsets)
    case .runKeys: PackedColumn.pack(keyPlaces)
    case .keys: PackedColumn.pack(keys) { Int64(bitPattern: $0) }
    case .runStarts: PackedColumn.pack(runs) { $0.start.rawValue }
    case .runLengths: PackedColumn.pack(runs) { ($0.end - $0.start).rawValue }
    case .profileCounts: PackedColumn.pack(lengthsOf: profileOffsets)
    case .profiles: PackedColumn.pack(profiles) { $0.profile }
    case .profileTimes: PackedColumn.pack(profiles) { $0.firstSeen.rawValue }
    case .buckets: PackedColumn.pack(buckets)
    }
  }

  /// The keys that occur, in order, and where each run's lies among them.
  private var listedKeys: (keys: [UInt64], places: [Int64]) {
    var numbering = Numbering<RunKey>()
    let numbers = runs.map { numbering.number(RunKey(key: $0.key)) }
    let order = numbering.keys.indices.sorted { numbering.keys[$0].key < numbering.keys[$1].key }
    var places = [Int64](repeating: 0, count: order.count)
    for (place, number) in order.enumerated() { places[number] = Int64(place) }
    return (order.map { numbering.keys[$0].key }, numbers.map { places[$0] })
  }

  private struct RunKey: Mixed {
    var key: UInt64
    var mix: Int { Int(truncatingIfNeeded: key ^ key >> 26 ^ key >> 34 &* 41) }
  }

  /// - Parameter read: calls back with the bytes of a part.
  init(packed read: (Int64, (UnsafeRawBufferPointer) -> Void) throws(StoreError) -> Void) throws(StoreError) {
    func column(_ part: Part) throws(StoreError) -> [Int64] {
      var values: [Int64] = []
      try read(part.rawValue) { PackedColumn.unpack($0, into: &values) }
      return values
    }
    func offsets(_ part: Part) throws(StoreError) -> [Int] {
      var offsets = [0]
      try read(part.rawValue) { PackedColumn.unpack(lengths: $0, into: &offsets) }
      return offsets
    }
    let (keys, runKeys) = (try column(.keys), try column(.runKeys))
    let (starts, lengths) = (try column(.runStarts), try column(.runLengths))
    devices = try column(.devices).map(JourneyShard.hash)
    runOffsets = try offsets(.runCounts)
    runs = starts.indices.map { index in
      let start = Timestamp(rawValue: starts[index])
      return ContactRun(
        key: UInt64(bitPattern: keys[Int(runKeys[index])]), start: start,
        end: start + Milliseconds(rawValue: lengths[index]))
    }
    profileOffsets = try offsets(.profileCounts)
    let (numbers, times) = (try column(.profiles), try column(.profileTimes))
    profiles = numbers.indices.map { index in
      ProfileSighting(profile: numbers[index], firstSeen: Timestamp(rawValue: times[index]))
    }
    buckets = try column(.buckets)
    outlines = try DeviceOutlines { part throws(StoreError) in
      var values: [Int64] = []
      try read(part.rawValue) { values = PackedColumn.unpack($0) }
      return values
    }
    // Files of before there were any.
    if outlines.channels.count != devices.count { outlines = madeOutlines }
  }

  private var madeOutlines: DeviceOutlines {
    var made = DeviceOutlines()
    for index in devices.indices { made.append(runs(index)) }
    return made
  }

  /// The outlines with all that is theirs.
  var completeOutlines: DeviceOutlines {
    var complete = outlines
    complete.devices = devices
    complete.profileOffsets = profileOffsets
    complete.profiles = profiles.map(\.profile)
    complete.profileTimes = profiles.map(\.firstSeen.rawValue)
    complete.buckets = buckets
    return complete
  }

  static func offsets(_ counts: [Int64]) -> [Int] {
    var total = 0
    return [0]
      + counts.map { count in
        total += Int(count)
        return total
      }
  }
}
