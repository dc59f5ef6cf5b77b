import Lifecycle

/// Some devices of a shard as they were known when they were summarised, and as they are known now.
struct DevicesTwice {
  private(set) var before: DeviceOutlines
  private(set) var now: DeviceOutlines
  /// What came since, in order of device.
  let later: ArraySlice<DeviceFact>
  /// Of what stands before them, by the same places.
  private(set) var sourceBefore, sourceNow: RunSource
  private let sources: (Facts, [UInt64]) -> RunSource

  /// What is not folded of devices: what was known before, or everything.
  private enum Facts { case known, all }

  /// - Parameters:
  ///   - some: in order.
  ///   - resumed: those of them that are shown as if they had said nothing before their last contact.
  ///   - parts: memory to read into.
  init(
    _ some: [UInt64], resumed: [ResumedDevice], _ heard: Heard, _ lookup: DeviceLookup, _ shard: Int,
    _ reader: ShardReader, _ parts: inout PackedParts
  ) throws {
    let place = reader.devicePlace(shard)
    let points = try Self.points(resumed, lookup, shard, reader, &parts)
    let resumed = points == nil ? [] : resumed
    let known = heard.known.devices[place]?.about(some) ?? []
    later = heard.later.devices[place]?.about(some) ?? []
    let columns = reader.need.devices
    let others = try Self.stored(some.without(resumed), lookup, shard, reader, &parts)
    let stored = points.map { others.splicing($0, columns) } ?? others
    func devices(_ some: [UInt64]) throws(StoreError) -> DeviceShard {
      var few = try reader.devices(some, of: shard, lookup)
      few.outlines = few.madeOutlines
      return few
    }
    before = try stored.growing(known.after(resumed), columns, devices)
    now = try before.growing(later, columns) { some throws(StoreError) in
      try devices(some).merging(known.about(some))
    }
    let (all, count) = (heard.facts(place)[...].about(some), lookup.devices.count)
    let runs = KnownRuns(reader, resumed)
    sources = { facts, some in
      let source = RunSource(reader, of: RunSource.Part(devices: some, count: count), stored: runs)
      source.begin(shard, facts == .known ? known.about(some) : all.about(some))
      return source
    }
    (sourceBefore, sourceNow) = (sources(.known, some), sources(.all, some))
  }

  /// As they are stored: what is not looked up lies in columns of which few numbers are taken.
  private static func stored(
    _ some: [UInt64], _ lookup: DeviceLookup, _ shard: Int, _ reader: ShardReader, _ parts: inout PackedParts
  ) throws -> DeviceOutlines {
    let places = lookup.places(of: some)
    if places.isEmpty { return DeviceOutlines() }
    let readsTimes = places.contains { reader.profiles.asksWhen(lookup.profiles($0)) }
    // Beyond that, whole columns are read faster.
    let isFew = places.count * 16 < lookup.devices.count
    try reader.readBesideLookup(shard, withTimes: readsTimes, withSpans: !isFew, into: &parts)
    if let ranges = DeviceOutlines.spanRanges(lookup, at: places, parts),
      let spans = try isFew ? reader.fewSpans(ranges, of: shard) : FewSpans(ranges, parts),
      let picked = DeviceOutlines(lookup, at: places, spans, parts, reader.need.devices)
    {
      return picked
    }
    try reader.readOutlines(shard, into: &parts)
    var stored = DeviceOutlines()
    if !stored.unpack(parts, reader.need.devices) { stored = try DeviceShard(parts).completeOutlines }
    return stored.picking(some)
  }

  /// As they were at their last contact; nil where there are none, or their shard was written before it had the columns.
  private static func points(
    _ resumed: [ResumedDevice], _ lookup: DeviceLookup, _ shard: Int, _ reader: ShardReader, _ parts: inout PackedParts
  ) throws -> DeviceOutlines? {
    if resumed.isEmpty { return nil }
    try reader.readBesideLookup(shard, withTimes: false, withSpans: false, into: &parts)
    let places = lookup.places(of: resumed.map(\.device))
    return DeviceOutlines(lookup, at: places, FewSpans(at: resumed.map(\.last)), parts, reader.need.devices)
  }

  /// Of some of these.
  func picking(_ some: [UInt64]) -> DevicesTwice {
    var copy = self
    (copy.before, copy.now) = (before.picking(some), now.picking(some))
    // Runs are told by a device's place among the others.
    (copy.sourceBefore, copy.sourceNow) = (sources(.known, some), sources(.all, some))
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

extension DeviceOutlines {
  /// The parts that are read beside those of `DeviceLookup`.
  ///
  /// - Parameter times: whether it is asked when devices had their profiles.
  static func partsBesideLookup(
    _ columns: DeviceColumns, withTimes times: Bool, withSpans spans: Bool
  ) -> Set<Int64> {
    parts(columns).subtracting(DeviceLookup.parts).subtracting(times ? [] : [DeviceShard.Part.profileTimes.rawValue])
      .subtracting(spans ? [] : [Part.spanStarts.rawValue, Part.spanLengths.rawValue])
  }

  /// Of some devices of a shard where their spans lie; nil where the parts do not say so.
  fileprivate static func spanRanges(
    _ lookup: DeviceLookup, at places: [Int], _ parts: PackedParts
  ) -> [Range<Int>]? {
    var offsets: [Int] = []
    parts.read(Part.spanCounts.rawValue) { PackedColumn.unpack(lengths: $0, into: &offsets) }
    guard offsets.count == lookup.devices.count + 1 else { return nil }
    return places.map { offsets[$0]..<offsets[$0 + 1] }
  }

  /// Some devices of a shard; nil where the parts do not hold what they should. Without the times of their profiles each has them since
  /// ever.
  fileprivate init?(
    _ lookup: DeviceLookup, at places: [Int], _ spans: FewSpans, _ parts: PackedParts, _ columns: DeviceColumns
  ) {
    self.init()
    let (birthTimes, timesPart) = (parts.view(Part.birthTimes.rawValue), DeviceShard.Part.profileTimes.rawValue)
    let times = parts.has(timesPart) ? parts.view(timesPart) : nil
    let named = parts.view(DeviceShard.Part.buckets.rawValue)
    let (count, hasBuckets) = (lookup.devices.count, columns.contains(.buckets))
    guard birthTimes.count == count, times.map({ $0.count == lookup.profileOffsets[count] }) ?? true,
      !hasBuckets || named.count == count
    else { return nil }
    for place in places {
      devices.append(lookup.devices[place])
      channels.append(lookup.channels[place])
      births.append(lookup.births[place])
      self.birthTimes.append(birthTimes[place])
      running.append(lookup.running[place])
      profiles += lookup.profiles(place)
      for sighting in lookup.profileOffsets[place]..<lookup.profileOffsets[place + 1] {
        profileTimes.append(times?[sighting] ?? .min)
      }
      profileOffsets.append(profiles.count)
      if hasBuckets { buckets.append(named[place]) }
    }
    (spanOffsets, spanStarts, spanEnds) = (spans.offsets, spans.starts, spans.ends)
  }
}

extension FewSpans {
  fileprivate init?(_ ranges: [Range<Int>], _ parts: PackedParts) {
    typealias Part = DeviceOutlines.Part
    self.init(ranges, parts.view(Part.spanStarts.rawValue), parts.view(Part.spanLengths.rawValue))
  }
}
