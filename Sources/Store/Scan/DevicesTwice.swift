import Lifecycle

/// Some devices of a shard as they were known when they were summarised, and as they are known now.
struct DevicesTwice {
  private(set) var before: DeviceOutlines
  private(set) var now: DeviceOutlines
  /// What came since, in order of device.
  let later: ArraySlice<DeviceFact>
  let sourceBefore, sourceNow: RunSource

  /// - Parameters:
  ///   - some: in order.
  ///   - parts: memory to read into.
  init(
    _ some: [UInt64], _ heard: Heard, _ lookup: DeviceLookup, _ shard: Int, _ reader: ShardReader,
    _ parts: inout PackedParts
  ) throws {
    let place = reader.devicePlace(shard)
    let known = heard.known.devices[place]?.about(some) ?? []
    later = heard.later.devices[place]?.about(some) ?? []
    try reader.readOutlines(shard, into: &parts)
    var stored = DeviceOutlines()
    if !stored.unpack(parts, reader.need.devices) { stored = try DeviceShard(parts).completeOutlines }
    func devices(_ some: [UInt64]) throws(StoreError) -> DeviceShard {
      var few = try reader.devices(some, of: shard, lookup)
      few.outlines = few.madeOutlines
      return few
    }
    let columns = reader.need.devices
    before = try stored.picking(some).growing(known, columns, devices)
    now = try before.growing(later, columns) { some throws(StoreError) in
      try devices(some).merging(known.about(some))
    }
    let part = RunSource.Part(
      devices: Set(some), isFew: some.count * RunSource.fewest < lookup.devices.count)
    (sourceBefore, sourceNow) = (RunSource(reader, of: part), RunSource(reader, of: part))
    sourceBefore.begin(shard, known)
    sourceNow.begin(shard, heard.facts(place)[...].about(some))
  }

  /// Of some of these.
  func picking(_ some: [UInt64]) -> DevicesTwice {
    var copy = self
    (copy.before, copy.now) = (before.picking(some), now.picking(some))
    return copy
  }
}

extension DeviceOutlines {
  /// With more facts about its devices, and others.
  ///
  /// - Parameter stored: what was known of some of them, where spans alone do not tell; with outlines.
  fileprivate func growing(
    _ facts: ArraySlice<DeviceFact>, _ columns: DeviceColumns,
    _ stored: ([UInt64]) throws(StoreError) -> DeviceShard
  ) throws(StoreError) -> DeviceOutlines {
    var (old, whole) = (self, DeviceOutlines())
    let growth = OutlineGrowth(&old, facts, columns)
    var touched = growth.grown
    if !growth.rest.isEmpty {
      let known = growth.needsRuns ? try stored(growth.restDevices) : DeviceShard()
      touched = touched.splicing(known.merging(growth.rest[...]).completeOutlines, columns)
    }
    if touched.devices.isEmpty { return old }
    whole.take(old, touched, columns)
    return whole
  }
}
