public import Lifecycle

/// When a device was first seen with a set of properties (platform, versions, arm).
public struct ProfileSighting: Equatable, Sendable {
  /// A number of `profile`.
  public var profile: Int64
  public var firstSeen: Timestamp
}

/// Some devices of one app in order of their hash: contact runs, profiles, rollout buckets.
public struct DeviceShard: Sendable {
  public internal(set) var devices: [UInt64] = []
  /// Where each device's runs begin in `runs`; one more at the end.
  var runOffsets: [Int] = [0]
  var runs: [ContactRun] = []
  var profileOffsets: [Int] = [0]
  var profiles: [ProfileSighting] = []
  /// `time << 7 | bucket` of the first event that named one.
  var buckets: [Int64] = []

  public init() {}

  /// In order of key and start.
  public func runs(_ index: Int) -> ArraySlice<ContactRun> { runs[runOffsets[index]..<runOffsets[index + 1]] }
  public func profiles(_ index: Int) -> ArraySlice<ProfileSighting> {
    profiles[profileOffsets[index]..<profileOffsets[index + 1]]
  }
  public func bucket(_ index: Int) -> UInt8? { buckets[index] == .max ? nil : UInt8(buckets[index] & 127) }
}

/// What one event says about its device.
struct DeviceFact {
  var device: UInt64
  var at: Timestamp
  var key: UInt64
  var profile: Int64
  var bucket: Int64
}

extension DeviceShard {
  /// The shard with more facts in it; unions and minimums only.
  ///
  /// - Parameter facts: in order of device.
  func merging(_ facts: ArraySlice<DeviceFact>) -> DeviceShard {
    var merged = DeviceShard()
    merged.devices.reserveCapacity(devices.count)
    var (old, next) = (0, facts.startIndex)
    while old < devices.count || next < facts.endIndex {
      let device = min(
        old < devices.count ? devices[old] : .max, next < facts.endIndex ? facts[next].device : .max)
      let from = next
      while next < facts.endIndex, facts[next].device == device { next += 1 }
      let known = old < devices.count && devices[old] == device ? old : nil
      if known != nil { old += 1 }
      merged.append(device, known.map { (self, $0) }, facts[from..<next])
    }
    return merged
  }

  private mutating func append(
    _ device: UInt64, _ known: (shard: DeviceShard, index: Int)?, _ facts: ArraySlice<DeviceFact>
  ) {
    var runs = known.map { Array($0.shard.runs($0.index)) } ?? []
    var sightings = known.map { Array($0.shard.profiles($0.index)) } ?? []
    var bucket = known.map { $0.shard.buckets[$0.index] } ?? .max
    if !facts.isEmpty {
      for fact in facts {
        bucket = min(bucket, fact.bucket)
        runs.append(ContactRun(key: fact.key, start: fact.at, end: fact.at))
        note(fact, in: &sightings)
      }
      ContactRun.joined(&runs)
      sightings.sort { $0.profile < $1.profile }
    }
    devices.append(device)
    self.runs += runs
    runOffsets.append(self.runs.count)
    profiles += sightings
    profileOffsets.append(profiles.count)
    buckets.append(bucket)
  }

  private func note(_ fact: DeviceFact, in sightings: inout [ProfileSighting]) {
    if let place = sightings.firstIndex(where: { $0.profile == fact.profile }) {
      sightings[place].firstSeen = min(sightings[place].firstSeen, fact.at)
    } else {
      sightings.append(ProfileSighting(profile: fact.profile, firstSeen: fact.at))
    }
  }
}
