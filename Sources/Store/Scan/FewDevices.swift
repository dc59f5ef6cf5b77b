import Lifecycle

/// A few devices of a shard, read from the middle of its columns.
struct FewDevices: ~Copyable {
  private let runs: FewRuns
  private let profiles, times: StoredColumn

  private init(_ runs: consuming FewRuns, _ profiles: consuming StoredColumn, _ times: consuming StoredColumn) {
    self.runs = runs
    self.profiles = profiles
    self.times = times
  }

  /// The parts that are read whole.
  static let beside = DeviceShard.besidePieces.subtracting([DeviceShard.Part.devices.rawValue])

  /// nil where a column is not there, or not of one width.
  ///
  static func open(_ rows: DeviceRows, _ place: DevicePlace) throws(StoreError) -> FewDevices? {
    guard let profiles = try StoredColumn.open(rows, place, DeviceShard.Part.profiles.rawValue),
      let times = try StoredColumn.open(rows, place, DeviceShard.Part.profileTimes.rawValue),
      let runs = try FewRuns.open(rows, place), profiles.count == times.count
    else { return nil }
    return FewDevices(runs, profiles, times)
  }

  /// Without outlines; nil where the columns do not hold what they should.
  ///
  /// - Parameters:
  ///   - places: of the devices, in order.
  ///   - parts: at least `beside`.
  func shard(_ places: [Int], _ parts: PackedParts, _ lookup: DeviceLookup) throws(StoreError) -> DeviceShard? {
    var (shard, offsets) = (DeviceShard(), [Int]())
    parts.read(RunLists.Parts.settled.counts) { PackedColumn.unpack(lengths: $0, into: &offsets) }
    let keys = parts.read(RunLists.Parts.settled.keys) { PackedColumn.unpack($0) }
    let (buckets, recent) = (parts.view(DeviceShard.Part.buckets.rawValue), RunLists(parts, as: .recent))
    guard offsets.count == lookup.devices.count + 1, buckets.count == lookup.devices.count else { return nil }
    for place in places {
      guard offsets[place] <= offsets[place + 1],
        let own = try runs.runs(offsets[place]..<offsets[place + 1], keys: keys),
        let sightings = try sightings(lookup.profileOffsets[place]..<lookup.profileOffsets[place + 1])
      else { return nil }
      shard.add(
        lookup.devices[place], recent.runs.isEmpty ? own : own.union(recent[place]), sightings, buckets[place])
    }
    return shard
  }

  private func sightings(_ range: Range<Int>) throws(StoreError) -> [ProfileSighting]? {
    guard range.upperBound <= profiles.count else { return nil }
    return zip(try profiles.numbers(range), try times.numbers(range)).map {
      ProfileSighting(profile: $0, firstSeen: Timestamp(rawValue: $1))
    }
  }
}

extension DeviceShard {
  /// Without its outline.
  fileprivate mutating func add(_ device: UInt64, _ own: [ContactRun], _ sightings: [ProfileSighting], _ bucket: Int64)
  {
    devices.append(device)
    runs += own
    runOffsets.append(runs.count)
    profiles += sightings
    profileOffsets.append(profiles.count)
    buckets.append(bucket)
  }

  /// Those at some places, in order.
  func picking(_ places: [Int]) -> DeviceShard {
    var picked = DeviceShard()
    for place in places { picked.append(self, place..<place + 1) }
    return picked
  }
}
