import Glibc

/// Parts of one packed shard as they lie in the file, to be unpacked elsewhere; their room is used for shard after shard.
struct PackedParts {
  private var bytes = PackedBytes()
  private var places: [(part: Int64, range: Range<Int>)] = []
  /// nil of parts that were never stored.
  private(set) var source: Source?

  mutating func clear(for source: Source? = nil) {
    self.source = source
    places.removeAll(keepingCapacity: true)
    // A view may read them still.
    if isKnownUniquelyReferenced(&bytes) { bytes.removeAll() } else { bytes = PackedBytes() }
  }

  mutating func append(part: Int64, _ more: UnsafeRawBufferPointer) {
    if !isKnownUniquelyReferenced(&bytes) { bytes = PackedBytes(bytes[0..<bytes.count]) }
    let start = bytes.count
    bytes.append(more)
    places.append((part, start..<bytes.count))
  }

  func has(_ part: Int64) -> Bool { places.contains { $0.part == part } }

  /// Calls back with the bytes of a part; with none where it is not stored.
  func read<T>(_ part: Int64, _ body: (UnsafeRawBufferPointer) -> T) -> T { body(bytes[range(part)]) }

  /// A column that is read where it lies; the parts are copied should they change before it goes.
  func view(_ part: Int64) -> PackedView { PackedView(bytes, range(part)) }

  private func range(_ part: Int64) -> Range<Int> { places.first { $0.part == part }?.range ?? 0..<0 }

  var isEmpty: Bool { places.isEmpty }

  /// Whether a part is stored with these bytes.
  func holds(_ part: Int64, _ bytes: [UInt8]) -> Bool {
    read(part) { known in
      guard known.count == bytes.count, let start = known.baseAddress else { return false }
      return memcmp(bytes, start, known.count) == 0
    }
  }

  func each(_ body: (Int64, UnsafeRawBufferPointer) -> Void) {
    for (part, range) in places { body(part, bytes[range]) }
  }
}

/// Reads the parts of packed shards.
struct StoredParts: ~Copyable {
  private let journeys, devices, wakes, trails: PartsQuery
  private let deviceRow: Statement

  init(_ connection: borrowing Connection) throws(StoreError) {
    let journeys = try PartsQuery(
      connection, .journey, "SELECT part, packed FROM journey WHERE release = ? AND channel = ? AND shard = ?")
    let devices = try PartsQuery(connection, .device, "SELECT part, packed FROM device WHERE app = ? AND shard = ?")
    let wakes = try PartsQuery(
      connection, .wake, "SELECT part, packed FROM wake WHERE app = ? AND shard = ? AND week = ?")
    let trails = try PartsQuery(connection, .trail, "SELECT part, packed FROM trail WHERE shard = ? AND era = ?")
    deviceRow = try connection.prepare("SELECT rowid FROM device WHERE app = ? AND shard = ? AND part = ?")
    self.journeys = journeys
    self.devices = devices
    self.wakes = wakes
    self.trails = trails
  }

  /// - Parameter wanted: nil for all.
  func read(_ place: JourneyPlace, _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    try journeys.read([place.release, place.channel, Int64(place.shard)], wanted, into: &parts)
  }

  /// - Parameter wanted: nil for all.
  func read(_ place: DevicePlace, _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    try devices.read([place.app, Int64(place.shard)], wanted, into: &parts)
  }

  /// nil where runs cannot be read in pieces.
  func fewRuns(_ place: DevicePlace) throws(StoreError) -> FewRuns? { try FewRuns.open(deviceRow, place) }

  /// - Parameter wanted: nil for all.
  func read(_ place: WakePlace, _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    try wakes.read([place.app, Int64(place.shard), place.week], wanted, into: &parts)
  }

  /// - Parameter wanted: nil for all.
  func read(_ place: TrailPlace, _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    try trails.read([Int64(place.shard), place.era], wanted, into: &parts)
  }
}

/// The parts of one row of shards. What is not wanted must be told to SQLite: once it comes to a row, it copies its bytes.
private struct PartsQuery: ~Copyable {
  private let all: Statement
  private let some: Statement
  private let table: PackedParts.Source.Table

  init(
    _ connection: borrowing Connection, _ table: PackedParts.Source.Table, _ select: StaticString
  ) throws(StoreError) {
    let all = try connection.prepare(select)
    let some = try connection.prepare(joining: select, " AND part IN (SELECT value FROM json_each(?))")
    self.all = all
    self.some = some
    self.table = table
  }

  func read(_ keys: [Int64], _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    parts.clear(for: PackedParts.Source(path: all.path, table: table, keys: keys, wanted: wanted))
    guard let wanted else { return try read(all, keys, into: &parts) }
    let list = wanted.sorted().map { "\($0)" }.joined(separator: ",")
    some.bind(Int32(keys.count + 1), .text("[\(list)]"))
    try read(some, keys, into: &parts)
  }

  private func read(
    _ statement: borrowing Statement, _ keys: [Int64], into parts: inout PackedParts
  ) throws(StoreError) {
    defer { statement.rewind() }
    for (place, key) in keys.enumerated() { statement.bind(Int32(place + 1), key) }
    while try statement.step() { statement.row.withBlob(1) { parts.append(part: statement.integer(0), $0) } }
  }
}

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
    for index in spanEnds.indices { spanEnds[index] += spanStarts[index] }
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
