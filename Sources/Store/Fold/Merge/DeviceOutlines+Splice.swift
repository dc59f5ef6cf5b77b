import Lifecycle

/// Events that wait to be folded touch few of a shard's devices: these are judged anew, all others stay as they are.
extension DeviceOutlines {
  /// With some devices new or anew.
  func splicing(_ touched: DeviceOutlines, _ columns: DeviceColumns) -> DeviceOutlines {
    var spliced = DeviceOutlines()
    spliced.take(self, touched, columns)
    return spliced
  }

  /// Takes those of a shard with some devices new or anew in place of what it held, whose memory is used again.
  mutating func take(_ old: DeviceOutlines, _ touched: DeviceOutlines, _ columns: DeviceColumns) {
    let splice = Splice(touched.devices, into: old.devices)
    take(old, touched, splice)
    splice.column(old.devices, touched.devices, into: &devices)
    splice.offsets(old.profileOffsets, touched.profileOffsets, into: &profileOffsets)
    let (oldOffsets, offsets) = (old.profileOffsets, touched.profileOffsets)
    splice.lists(old.profiles, at: oldOffsets, touched.profiles, at: offsets, into: &profiles)
    splice.lists(old.profileTimes, at: oldOffsets, touched.profileTimes, at: offsets, into: &profileTimes)
    if columns.contains(.buckets) { splice.column(old.buckets, touched.buckets, into: &buckets) } else { buckets = [] }
  }
}

extension DeviceShard {
  /// Of the devices that are packed in some parts only a few.
  ///
  /// - Parameters:
  ///   - outlines: of the same parts.
  ///   - some: in order.
  init(_ parts: PackedParts, _ outlines: DeviceOutlines, of some: [UInt64]) {
    self.init()
    let places = outlines.places(of: some)
    devices = places.map { outlines.devices[$0] }
    let lists = RunLists(parts, at: places)
    (runs, runOffsets) = (lists.runs, lists.offsets)
    takeSightings(parts, places, outlines)
    let column = parts.view(Part.buckets.rawValue)
    buckets = places.map { column[$0] }
  }

  private mutating func takeSightings(_ parts: PackedParts, _ places: [Int], _ outlines: DeviceOutlines) {
    let times = parts.view(Part.profileTimes.rawValue)
    for place in places {
      for sighting in outlines.profileOffsets[place]..<outlines.profileOffsets[place + 1] {
        profiles.append(
          ProfileSighting(
            profile: outlines.profiles[sighting], firstSeen: Timestamp(rawValue: times[sighting])))
      }
      profileOffsets.append(profiles.count)
    }
  }
}
