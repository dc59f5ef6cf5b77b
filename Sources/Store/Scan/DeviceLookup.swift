/// What is looked up of single devices of a shard, without all that outlines hold.
struct DeviceLookup {
  private(set) var devices: [UInt64] = []
  private(set) var channels = PackedView(values: [])
  private(set) var births = PackedView(values: [])
  private(set) var running = PackedView(values: [])
  /// `time << 7 | bucket`; empty where they were not asked for.
  private(set) var buckets = PackedView(values: [])
  private(set) var profileOffsets: [Int] = [0]
  private var lastContacts = PackedView(values: [])
  private var profiles = PackedView(values: [])

  static let parts: Set<Int64> = [
    DeviceShard.Part.devices.rawValue, DeviceShard.Part.profileCounts.rawValue, DeviceShard.Part.profiles.rawValue,
    DeviceOutlines.Part.channels.rawValue, DeviceOutlines.Part.births.rawValue, DeviceOutlines.Part.running.rawValue,
    DeviceOutlines.lastContacts,
  ]

  init() {}

  init(_ outlines: DeviceOutlines) {
    devices = outlines.devices
    (channels, births) = (PackedView(values: outlines.channels), PackedView(values: outlines.births))
    running = PackedView(values: outlines.running)
    (buckets, profiles) = (PackedView(values: outlines.buckets), PackedView(values: outlines.profiles))
    profileOffsets = outlines.profileOffsets
    lastContacts = PackedView(count: devices.count) { outlines.lastContact($0) ?? PackedColumn.absent }
  }

  /// Takes the place of whatever it held; false where the shard was written before it had these parts.
  mutating func take(_ parts: PackedParts) -> Bool {
    typealias Part = DeviceShard.Part
    typealias Outline = DeviceOutlines.Part
    if !parts.has(Part.devices.rawValue) {
      self = DeviceLookup()
      return true
    }
    guard parts.has(Outline.running.rawValue), parts.has(DeviceOutlines.lastContacts) else { return false }
    parts.read(Part.devices.rawValue) { PackedColumn.unpack($0, into: &devices, JourneyShard.hash) }
    parts.read(Part.profileCounts.rawValue) { PackedColumn.unpack(lengths: $0, into: &profileOffsets) }
    channels = parts.view(Outline.channels.rawValue)
    births = parts.view(Outline.births.rawValue)
    running = parts.view(Outline.running.rawValue)
    lastContacts = parts.view(DeviceOutlines.lastContacts)
    profiles = parts.view(Part.profiles.rawValue)
    buckets = PackedView(values: [])
    return channels.count == devices.count && lastContacts.count == devices.count
  }

  /// Beside the rest; false where they are not those of the same devices.
  mutating func take(buckets parts: PackedParts) -> Bool {
    buckets = parts.view(DeviceShard.Part.buckets.rawValue)
    return buckets.count == devices.count
  }

  var withoutBuckets: DeviceLookup {
    var copy = self
    copy.buckets = PackedView(values: [])
    return copy
  }

  /// Whether it names this bucket, at some time, as it did before; false where buckets were not asked for.
  func knows(_ fact: JourneyFact, _ index: Int) -> Bool {
    buckets.count > 0 && fact.bucket >= buckets[index] && Int64(fact.namedBucket) == buckets[index] & 127
  }

  /// nil where the outline does not tell.
  func lastContact(_ index: Int) -> Int64? {
    let last = lastContacts[index]
    return last == PackedColumn.absent ? nil : last
  }

  func profiles(_ index: Int) -> [Int64] { (profileOffsets[index]..<profileOffsets[index + 1]).map { profiles[$0] } }

  func has(profile: Int64, _ index: Int) -> Bool {
    (profileOffsets[index]..<profileOffsets[index + 1]).contains { profiles[$0] == profile }
  }

  /// Where some devices lie, of those that are in it.
  ///
  /// - Parameter some: in order.
  func places(of some: [UInt64]) -> [Int] {
    var (places, next) = ([Int](), 0)
    for device in some {
      next = devices.firstPlace(from: next) { $0 >= device }
      if next < devices.count, devices[next] == device, places.last != next { places.append(next) }
    }
    return places
  }
}
