import Lifecycle

/// Events that wait to be folded touch few of a shard's devices: these are judged anew, all others stay as they are.
extension DeviceOutlines {
  mutating func clear() {
    for path in Self.lists { self[keyPath: path].removeAll(keepingCapacity: true) }
    for path in Self.offsetLists {
      self[keyPath: path].removeAll(keepingCapacity: true)
      self[keyPath: path].append(0)
    }
    devices.removeAll(keepingCapacity: true)
  }

  private static var lists: [WritableKeyPath<Self, [Int64]>] {
    [\.channels, \.spanStarts, \.spanEnds, \.births, \.birthTimes, \.running, \.profiles, \.profileTimes, \.buckets]
  }
  private static var offsetLists: [WritableKeyPath<Self, [Int]>] { [\.spanOffsets, \.profileOffsets] }

  /// Becomes `old` with some devices new or anew.
  mutating func splice(_ touched: DeviceOutlines, into old: DeviceOutlines, _ columns: DeviceColumns) {
    clear()
    var next = 0
    for (index, device) in touched.devices.enumerated() {
      let untouched = old.devices.firstPlace(from: next) { $0 >= device }
      take(old, next..<untouched, columns)
      take(touched, index..<index + 1, columns)
      next = untouched < old.devices.count && old.devices[untouched] == device ? untouched + 1 : untouched
    }
    take(old, next..<old.devices.count, columns)
  }

  private mutating func take(_ other: DeviceOutlines, _ range: Range<Int>, _ columns: DeviceColumns) {
    guard !range.isEmpty else { return }
    append(other, range)
    devices += other.devices[range]
    let sightings = other.profileOffsets[range.lowerBound]..<other.profileOffsets[range.upperBound]
    profiles += other.profiles[sightings]
    profileTimes += other.profileTimes[sightings]
    profileOffsets.append(other.profileOffsets, range)
    if columns.contains(.buckets) { buckets += other.buckets[range] }
  }
}

extension DeviceShard {
  /// Of the devices that are packed in some parts only those that facts are about.
  ///
  /// - Parameters:
  ///   - outlines: of the same parts.
  ///   - facts: in order of device.
  init(_ parts: PackedParts, _ outlines: DeviceOutlines, touchedBy facts: ArraySlice<DeviceFact>) {
    self.init()
    let places = outlines.places(touchedBy: facts)
    devices = places.map { outlines.devices[$0] }
    takeRuns(parts, places)
    takeSightings(parts, places, outlines)
    let column = parts.view(Part.buckets.rawValue)
    buckets = places.map { column[$0] }
  }

  private mutating func takeRuns(_ parts: PackedParts, _ places: [Int]) {
    let settled = RunLists.Parts.settled
    var offsets: [Int] = []
    parts.read(settled.counts) { PackedColumn.unpack(lengths: $0, into: &offsets) }
    let keys = parts.read(settled.keys) { PackedColumn.unpack($0) }
    let (numbers, starts) = (parts.view(settled.keyPlaces), parts.view(settled.starts))
    let (lengths, recent) = (parts.view(settled.lengths), RunLists(parts, as: .recent))
    for place in places {
      let own = (offsets[place]..<offsets[place + 1]).map { run in
        ContactRun(
          key: UInt64(bitPattern: keys[Int(numbers[run])]), start: Timestamp(rawValue: starts[run]),
          end: Timestamp(rawValue: starts[run] + lengths[run]))
      }
      runs += recent.runs.isEmpty ? own : own.union(recent[place])
      runOffsets.append(runs.count)
    }
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
