/// What all questions about the devices of a shard that were heard of have in common; memory that one thread reads shard after shard into.
struct HeardShard {
  var devices = PackedParts()
  private var buckets = PackedParts()
  /// Events that are not folded, and sorted, as they lie in the file.
  var sorted: [SortedPart] = []
  /// Whether there is anything to look at.
  var isHeard = false
  private var found = DeviceLookup()
  private var state = State.unread

  private enum State {
    case unread
    /// Without buckets, or with them.
    case read, complete
    /// The shard was written before it had what is looked up.
    case old
  }

  mutating func begin() { state = .unread }

  /// - Parameter namesBuckets: whether anything that is not folded does.
  mutating func lookup(_ shard: Int, _ reader: ShardReader, namesBuckets: Bool) throws -> DeviceLookup {
    if state == .unread {
      try devices.check()
      state = found.take(devices) ? .read : .old
    }
    if state == .old { return try outlined(shard, reader) }
    guard namesBuckets, reader.need.devices.contains(.buckets) else { return found.withoutBuckets }
    if state == .read {
      try reader.readBuckets(shard, into: &buckets)
      guard found.take(buckets: buckets) else { return try outlined(shard, reader) }
      state = .complete
    }
    return found
  }

  private func outlined(_ shard: Int, _ reader: ShardReader) throws -> DeviceLookup {
    var (parts, outlines) = (PackedParts(), DeviceOutlines())
    try reader.readOutlines(shard, into: &parts)
    if !outlines.unpack(parts, reader.need.devices) { outlines = try DeviceShard(parts).completeOutlines }
    return DeviceLookup(outlines)
  }
}

/// What is not folded of the devices of a shard that were heard of since a summary, or that somebody looks at whatever was heard.
struct HeardFacts {
  /// What was known of them when they were summarised.
  let known: Facts
  let later: Facts
  private let shard: Int

  /// - Parameter readers: of questions that are asked side by side, about the same events.
  init(_ shard: Int, _ spans: [HeardSpan], _ sorted: [SortedPart], _ readers: [ShardReader]) throws(StoreError) {
    let (reader, last) = (readers[0], spans[0].last)
    self.shard = shard
    later = try reader.facts(shard, sorted, in: reader.numbers(after: last))
    var some = spans.flatMap { $0.listed(in: shard) }
    for reader in readers { some += Self.heard(later, shard, reader) }
    known = some.isEmpty ? Facts() : try reader.facts(shard, sorted, of: some.unique, in: .upTo(last))
  }

  /// Those of which something was heard, some more than once.
  func heard(_ reader: ShardReader) -> [UInt64] { Self.heard(later, shard, reader) }

  private static func heard(_ later: Facts, _ shard: Int, _ reader: ShardReader) -> [UInt64] {
    var heard = later.devices[reader.devicePlace(shard)]?.map(\.device) ?? []
    for index in reader.journeys.indices {
      heard += later.journeys[reader.journeyPlace(shard, index)]?.map(\.device) ?? []
    }
    return heard
  }
}
