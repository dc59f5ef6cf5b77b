import Lifecycle

/// The parts of a device shard in the `device` table, each a packed column; runs and outlines have their own.
extension DeviceShard {
  enum Part: Int64, CaseIterable {
    case devices = 0
    case profileCounts = 6
    case profiles, profileTimes, buckets
  }

  /// All runs are settled ones.
  var packed: [(part: Int64, bytes: [UInt8])] {
    Part.allCases.map { (part: $0.rawValue, bytes: packed($0)) }
      + RunLists(offsets: runOffsets, runs: runs).packed(as: .settled) + outlines.packed
  }

  private func packed(_ part: Part) -> [UInt8] {
    switch part {
    case .devices: PackedColumn.pack(devices, JourneyShard.ordered)
    case .profileCounts: PackedColumn.pack(lengthsOf: profileOffsets)
    case .profiles: PackedColumn.pack(profiles) { $0.profile }
    case .profileTimes: PackedColumn.pack(profiles) { $0.firstSeen.rawValue }
    case .buckets: PackedColumn.pack(buckets)
    }
  }

  init(_ parts: PackedParts) throws(StoreError) {
    try parts.check()
    func column(_ part: Part) -> [Int64] { parts.read(part.rawValue) { PackedColumn.unpack($0) } }
    devices = column(.devices).map(JourneyShard.hash)
    let runs = RunLists(parts, as: .settled).union(RunLists(parts, as: .recent))
    (runOffsets, self.runs) = (runs.offsets, runs.runs)
    profileOffsets = Self.offsets(column(.profileCounts))
    profiles = zip(column(.profiles), column(.profileTimes)).map {
      ProfileSighting(profile: $0, firstSeen: Timestamp(rawValue: $1))
    }
    buckets = column(.buckets)
    outlines = DeviceOutlines { part in parts.read(part.rawValue) { PackedColumn.unpack($0) } }
    // Files of before there were such ones.
    if outlines.running.count != devices.count { outlines = madeOutlines }
  }

  /// From the runs.
  var madeOutlines: DeviceOutlines {
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
