import Glibc

extension DeviceOutlines {
  /// The parts that outlines are read from.
  static func parts(_ columns: DeviceColumns) -> Set<Int64> {
    var own: [DeviceShard.Part] = [.devices, .profileCounts, .profiles, .profileTimes]
    if columns.contains(.buckets) { own.append(.buckets) }
    let parts = Set(Part.allCases.map(\.rawValue) + own.map(\.rawValue))
    return columns.contains(.runs) ? parts.union(RunColumns.parts) : parts
  }

  /// Takes the place of whatever it held; false where the file was written before there were such outlines.
  mutating func unpack(_ parts: PackedParts, _ columns: DeviceColumns) -> Bool {
    guard parts.has(Part.running.rawValue) else { return false }
    func unpack(_ part: Int64, _ values: inout [Int64]) { parts.read(part) { PackedColumn.unpack($0, into: &values) } }
    unpack(Part.channels.rawValue, &channels)
    unpack(Part.spanStarts.rawValue, &spanStarts)
    unpack(Part.spanLengths.rawValue, &spanEnds)
    addStarts()
    unpack(Part.births.rawValue, &births)
    unpack(Part.birthTimes.rawValue, &birthTimes)
    unpack(Part.running.rawValue, &running)
    unpack(DeviceShard.Part.profiles.rawValue, &profiles)
    unpack(DeviceShard.Part.profileTimes.rawValue, &profileTimes)
    // What is not asked for may be left from a shard that was laid out whole.
    if columns.contains(.buckets) { unpack(DeviceShard.Part.buckets.rawValue, &buckets) } else { buckets = [] }
    parts.read(Part.spanCounts.rawValue) { PackedColumn.unpack(lengths: $0, into: &spanOffsets) }
    parts.read(DeviceShard.Part.profileCounts.rawValue) { PackedColumn.unpack(lengths: $0, into: &profileOffsets) }
    parts.read(DeviceShard.Part.devices.rawValue) { PackedColumn.unpack($0, into: &devices, JourneyShard.hash) }
    return channels.count == devices.count
  }

  /// Makes ends of what are lengths.
  private mutating func addStarts() {
    precondition(spanEnds.count == spanStarts.count, "each span has a length")
    spanStarts.withUnsafeBufferPointer { starts in
      spanEnds.withUnsafeMutableBufferPointer { ends in
        // Times are checked to be far from the greatest of all numbers.
        for index in ends.indices { ends[index] &+= starts[index] }
      }
    }
  }
}

extension JourneyShard {
  /// Takes the place of whatever it held.
  mutating func unpack(_ parts: PackedParts) {
    // What is stored takes the place of numbers, which need not be cleared before.
    if !parts.has(Self.devicesPart) { devices.removeAll(keepingCapacity: true) }
    for index in columns.indices where !columns[index].isEmpty && !parts.has(Int64(index)) {
      columns[index].removeAll(keepingCapacity: true)
    }
    if !parts.has(Self.reasonsPart) { reasons.removeAll(keepingCapacity: true) }
    if !parts.has(Self.bucketsPart) { buckets.removeAll(keepingCapacity: true) }
    parts.each { unpack(part: $0, $1) }
  }
}
