/// Reads what is needed of the few devices of a shard that were heard of.
extension ShardReader {
  /// The parts of a shard as they lie in the file, where anything was heard of its devices since. Only for who has the turn.
  func read(_ shard: Int, of spans: [HeardSpan], into room: inout HeardShard) throws(StoreError) {
    room.sorted = try waiting.read(shard, sorted)
    room.isHeard =
      waiting.hasTail(shard)
      || spans.contains { span in
        !span.listed(in: shard).isEmpty || room.sorted.contains { $0.stretch.last > span.last }
      }
    if room.isHeard { try stored.read(devicePlace(shard), DeviceLookup.parts, into: &room.devices) }
  }

  /// What is known of devices beside what is looked up.
  func readBesideLookup(
    _ shard: Int, withTimes times: Bool, withSpans spans: Bool, into parts: inout PackedParts
  ) throws(StoreError) {
    let wanted = DeviceOutlines.partsBesideLookup(need.devices, withTimes: times, withSpans: spans)
    try turn.take { () throws(StoreError) in try stored.read(devicePlace(shard), wanted, into: &parts) }
    try parts.check()
  }

  /// nil where they must be read whole.
  ///
  /// - Parameter ranges: of each device where its spans lie.
  func fewSpans(_ ranges: [Range<Int>], of shard: Int) throws(StoreError) -> FewSpans? {
    try turn.take { () throws(StoreError) in try stored.fewSpans(ranges, devicePlace(shard)) }
  }

  /// Which buckets devices named first, beside what is looked up.
  func readBuckets(_ shard: Int, into parts: inout PackedParts) throws(StoreError) {
    let wanted: Set = [DeviceShard.Part.buckets.rawValue]
    try turn.take { () throws(StoreError) in try stored.read(devicePlace(shard), wanted, into: &parts) }
    try parts.check()
  }

  /// What `DeviceLookup` does without otherwise.
  func readOutlines(_ shard: Int, into parts: inout PackedParts) throws(StoreError) {
    try turn.take { () throws(StoreError) in try readDevices(shard, into: &parts) }
    try parts.check()
  }

  /// Everything that is stored of some devices of a shard, but outlines.
  ///
  /// - Parameters:
  ///   - some: in order.
  ///   - lookup: of the same shard.
  func devices(_ some: [UInt64], of shard: Int, _ lookup: DeviceLookup) throws(StoreError) -> DeviceShard {
    let places = lookup.places(of: some)
    if places.isEmpty { return DeviceShard() }
    // Beyond that, whole columns are read faster.
    if some.count * 16 < lookup.devices.count, let few = try few(places, of: shard, lookup) { return few }
    let parts = try whole(shard)
    var outlines = DeviceOutlines()
    guard outlines.unpack(parts, .buckets) else { return try DeviceShard(parts).picking(places) }
    return DeviceShard(parts, outlines, of: some)
  }

  private func few(
    _ places: [Int], of shard: Int, _ lookup: DeviceLookup
  ) throws(StoreError) -> DeviceShard? {
    try turn.take { () throws(StoreError) in
      var parts = PackedParts()
      try stored.read(devicePlace(shard), FewDevices.beside, into: &parts)
      try parts.check()
      return try stored.fewDevices(devicePlace(shard))?.shard(places, parts, lookup)
    }
  }
}
