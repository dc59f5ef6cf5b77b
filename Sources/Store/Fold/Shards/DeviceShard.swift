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
  /// Of every device; the hashes, profiles and buckets are not repeated in it.
  var outlines = DeviceOutlines()

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
  var profile: Int32
  /// Negative where the client named none.
  var namedBucket: Int8

  var bucket: Int64 { packedBucket(namedBucket, at: at.rawValue) }
  var said: ContactRun { ContactRun(key: key, start: at, end: at) }

  /// Whether it comes after all that was known, or at one instant with a fact that came after it: where neither applied anything, it
  /// does not matter which of them was first.
  func follows(_ last: Int64, _ previous: DeviceFact?) -> Bool {
    if at.rawValue > last { return true }
    guard let previous, previous.at == at else { return false }
    return said.claim != .applied && previous.said.claim != .applied
  }
}

extension DeviceShard {
  /// The shard with more facts in it; unions and minimums only.
  ///
  /// - Parameter facts: in order of device.
  func merging(_ facts: ArraySlice<DeviceFact>) -> DeviceShard {
    var (touched, splice) = (DeviceShard(), Splice())
    var page = Page()
    var (old, next) = (0, facts.startIndex)
    while next < facts.endIndex {
      let device = facts[next].device
      let untouched = devices.firstPlace(from: old) { $0 >= device }
      splice.keep(old..<untouched)
      old = untouched
      page.clear()
      if old < devices.count, devices[old] == device {
        page.read(self, old)
        old += 1
      }
      while next < facts.endIndex, facts[next].device == device {
        page.note(facts[next])
        next += 1
      }
      touched.append(device, &page)
    }
    splice.keep(old..<devices.count)
    return DeviceShard(self, touched, splice)
  }

  private init(_ old: DeviceShard, _ new: DeviceShard, _ splice: Splice) {
    devices = splice.column(old.devices, new.devices)
    runOffsets = splice.offsets(old.runOffsets, new.runOffsets)
    runs = splice.lists(old.runs, at: old.runOffsets, new.runs, at: new.runOffsets)
    profileOffsets = splice.offsets(old.profileOffsets, new.profileOffsets)
    profiles = splice.lists(old.profiles, at: old.profileOffsets, new.profiles, at: new.profileOffsets)
    buckets = splice.column(old.buckets, new.buckets)
    outlines = DeviceOutlines(old.outlines, new.outlines, splice)
  }

  private mutating func append(_ device: UInt64, _ page: inout Page) {
    page.settle()
    devices.append(device)
    runs += page.runs
    runOffsets.append(runs.count)
    profiles += page.profiles
    profileOffsets.append(profiles.count)
    buckets.append(page.bucket)
    outlines.append(page.runs[...])
  }

  /// Takes over devices of another shard.
  mutating func append(_ other: DeviceShard, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    devices += other.devices[range]
    runs.append(contentsOf: other.runs[other.runOffsets[range.lowerBound]..<other.runOffsets[range.upperBound]])
    runOffsets.append(other.runOffsets, range)
    profiles.append(
      contentsOf: other.profiles[other.profileOffsets[range.lowerBound]..<other.profileOffsets[range.upperBound]])
    profileOffsets.append(other.profileOffsets, range)
    buckets += other.buckets[range]
    outlines.append(other.outlines, range)
  }

  /// What is known of one device, used for one after another.
  private struct Page {
    private(set) var runs: [ContactRun] = []
    private(set) var profiles: [ProfileSighting] = []
    private(set) var bucket = Int64.max

    mutating func clear() {
      runs.removeAll(keepingCapacity: true)
      profiles.removeAll(keepingCapacity: true)
      bucket = .max
    }

    mutating func read(_ shard: DeviceShard, _ index: Int) {
      runs += shard.runs(index)
      profiles += shard.profiles(index)
      bucket = shard.buckets[index]
    }

    mutating func note(_ fact: DeviceFact) {
      bucket = min(bucket, fact.bucket)
      runs.note(fact.key, at: fact.at)
      let profile = Int64(fact.profile)
      if let place = profiles.firstIndex(where: { $0.profile == profile }) {
        profiles[place].firstSeen = min(profiles[place].firstSeen, fact.at)
      } else {
        profiles.append(ProfileSighting(profile: profile, firstSeen: fact.at))
      }
    }

    mutating func settle() {
      if profiles.count > 1 { profiles.sort { $0.profile < $1.profile } }
    }
  }
}
