import Lifecycle

/// The parts of a device shard in the `device` table, each a packed column.
extension DeviceShard {
  private enum Part: Int64, CaseIterable {
    case devices, runCounts, runKeys, keys, runStarts, runLengths, profileCounts, profiles, profileTimes, buckets
  }

  var packed: [(part: Int64, bytes: [UInt8])] {
    Part.allCases.map { (part: $0.rawValue, bytes: PackedColumn.pack(values($0))) }
  }

  private func values(_ part: Part) -> [Int64] {
    switch part {
    case .devices: devices.map(JourneyShard.ordered)
    case .runCounts: counts(runOffsets)
    case .runKeys: keyPlaces
    case .keys: keys.map { Int64(bitPattern: $0) }
    case .runStarts: runs.map(\.start.rawValue)
    case .runLengths: runs.map { ($0.end - $0.start).rawValue }
    case .profileCounts: counts(profileOffsets)
    case .profiles: profiles.map(\.profile)
    case .profileTimes: profiles.map(\.firstSeen.rawValue)
    case .buckets: buckets
    }
  }

  private func counts(_ offsets: [Int]) -> [Int64] { zip(offsets, offsets.dropFirst()).map { Int64($1 - $0) } }
  private var keys: [UInt64] { Set(runs.map(\.key)).sorted() }
  private var keyPlaces: [Int64] {
    let places = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, Int64($0)) })
    return runs.map { places[$0.key] ?? 0 }
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
  }

  private static func offsets(_ counts: [Int64]) -> [Int] {
    var total = 0
    return [0]
      + counts.map { count in
        total += Int(count)
        return total
      }
  }
}
