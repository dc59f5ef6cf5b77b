import Lifecycle

/// The parts of a device shard in the `device` table, each a packed column.
extension DeviceShard {
  enum Part: Int64, CaseIterable {
    case devices, runCounts, runKeys, keys, runStarts, runLengths, profileCounts, profiles, profileTimes, buckets
  }

  var packed: [(part: Int64, bytes: [UInt8])] {
    let (keys, keyPlaces) = listedKeys
    return Part.allCases.map { part in
      let values = part == .keys ? keys.map { Int64(bitPattern: $0) } : part == .runKeys ? keyPlaces : values(part)
      return (part: part.rawValue, bytes: PackedColumn.pack(values))
    } + outlines.packed
  }

  private func values(_ part: Part) -> [Int64] {
    switch part {
    case .devices: devices.map(JourneyShard.ordered)
    case .runCounts: counts(runOffsets)
    case .runKeys, .keys: []
    case .runStarts: runs.map(\.start.rawValue)
    case .runLengths: runs.map { ($0.end - $0.start).rawValue }
    case .profileCounts: counts(profileOffsets)
    case .profiles: profiles.map(\.profile)
    case .profileTimes: profiles.map(\.firstSeen.rawValue)
    case .buckets: buckets
    }
  }

  private func counts(_ offsets: [Int]) -> [Int64] { zip(offsets, offsets.dropFirst()).map { Int64($1 - $0) } }

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
    var columns: [Part: [Int64]] = [:]
    for part in Part.allCases { try read(part.rawValue) { columns[part] = PackedColumn.unpack($0) } }
    func column(_ part: Part) -> [Int64] { columns[part] ?? [] }
    let keys = column(.keys).map { UInt64(bitPattern: $0) }
    let (starts, lengths, runKeys) = (column(.runStarts), column(.runLengths), column(.runKeys))
    devices = column(.devices).map(JourneyShard.hash)
    runOffsets = Self.offsets(column(.runCounts))
    runs = starts.indices.map { index in
      let start = Timestamp(rawValue: starts[index])
      return ContactRun(
        key: keys[Int(runKeys[index])], start: start, end: start + Milliseconds(rawValue: lengths[index]))
    }
    profileOffsets = Self.offsets(column(.profileCounts))
    profiles = zip(column(.profiles), column(.profileTimes)).map {
      ProfileSighting(profile: $0, firstSeen: Timestamp(rawValue: $1))
    }
    buckets = column(.buckets)
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
    for index in devices.indices { made.append(Outline(runs(index))) }
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
