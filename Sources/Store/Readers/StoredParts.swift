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
    append(part: part, count: more.count) { $0.copyMemory(from: more) }
  }

  /// - Parameter write: is given room for so many bytes, and fills all of it.
  mutating func append<Failure>(
    part: Int64, count: Int, _ write: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    if !isKnownUniquelyReferenced(&bytes) { bytes = PackedBytes(bytes[0..<bytes.count]) }
    let start = bytes.count
    try bytes.append(count: count, write)
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
  private let rows: DeviceRows

  init(_ connection: borrowing Connection) throws(StoreError) {
    let journeys = try PartsQuery(
      connection, .journey, "SELECT part, rowid FROM journey WHERE release = ? AND channel = ? AND shard = ?")
    let rows = try DeviceRows(connection)
    let devices = try PartsQuery(
      connection, .device, "SELECT part, rowid FROM device WHERE app = ? AND shard = ? AND part < 1 << 20", rows)
    let wakes = try PartsQuery(
      connection, .wake, "SELECT part, rowid FROM wake WHERE app = ? AND shard = ? AND week = ?")
    let trails = try PartsQuery(connection, .trail, "SELECT part, rowid FROM trail WHERE shard = ? AND era = ?")
    self.rows = rows
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

  /// nil where devices cannot be read in pieces.
  func fewDevices(_ place: DevicePlace) throws(StoreError) -> FewDevices? { try FewDevices.open(rows, place) }

  /// nil where spans cannot be read in pieces.
  func fewSpans(_ ranges: [Range<Int>], _ place: DevicePlace) throws(StoreError) -> FewSpans? {
    try FewSpans(ranges, rows, place)
  }

  /// nil where runs cannot be read in pieces.
  func fewRuns(_ place: DevicePlace) throws(StoreError) -> FewRuns? { try FewRuns.open(rows, place) }

  /// - Parameter wanted: nil for all.
  func read(_ place: WakePlace, _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    try wakes.read([place.app, Int64(place.shard), place.week], wanted, into: &parts)
  }

  /// - Parameter wanted: nil for all.
  func read(_ place: TrailPlace, _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    try trails.read([Int64(place.shard), place.era], wanted, into: &parts)
  }
}

/// The parts of one row of shards. An index tells where they lie; their bytes are read to where they stay, and those that are
/// not wanted are not read.
private struct PartsQuery: ~Copyable {
  private let select: Statement
  private let table: PackedParts.Source.Table
  private let database: StaticString
  /// Where columns lie in several rows.
  private let rows: DeviceRows?

  init(
    _ connection: borrowing Connection, _ table: PackedParts.Source.Table, _ select: StaticString,
    _ rows: DeviceRows? = nil
  ) throws(StoreError) {
    let statement = try connection.prepare(select)
    database = try connection.database(of: table.name)
    self.select = statement
    self.rows = rows
    self.table = table
  }

  func read(_ keys: [Int64], _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    parts.clear(for: PackedParts.Source(path: select.path, table: table, keys: keys, wanted: wanted))
    defer { select.rewind() }
    for (place, key) in keys.enumerated() { select.bind(Int32(place + 1), key) }
    // Opened anew for each shard: an open one would hold on to what the file was then.
    var blob: BlobReader?
    while try select.step() {
      let (part, row) = (select.integer(0), select.integer(1))
      if let wanted, !wanted.contains(part) { continue }
      if try blob?.move(to: row) == nil { blob = try BlobReader(beside: select, database, table: table.name, row: row) }
      switch blob {
      case .some(let first): try read(part, keys, first, into: &parts)
      case .none: continue
      }
    }
  }

  /// All rows of a part, one behind the other.
  ///
  /// - Parameter first: the first of them.
  private func read(
    _ part: Int64, _ keys: [Int64], _ first: borrowing BlobReader, into parts: inout PackedParts
  ) throws(StoreError) {
    guard let rows, case let place = DevicePlace(shard: Int(keys[1]), app: keys[0]), ColumnPieces.parts.contains(part),
      let size = try first.columnSize, size > first.count,
      try rows.holds((size - 1) / first.count, of: part, place)
    else {
      return try parts.append(part: part, count: first.count) { (room) throws(StoreError) in try first.read(into: room)
      }
    }
    try parts.append(part: part, count: size) { (room) throws(StoreError) in
      try first.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<first.count]))
      let rest = UnsafeMutableRawBufferPointer(rebasing: room[first.count...])
      guard try rows.readFurther(part, of: place, into: rest) else { throw rows.lack(part, of: place) }
    }
  }
}

extension BlobReader {
  /// How many bytes a packed column has that begins here; nil where that is not told at its beginning.
  fileprivate var columnSize: Int? {
    get throws(StoreError) { StoredColumn.size(try read(0..<min(count, StoredColumn.head))[...]) }
  }
}

extension PackedParts.Source.Table {
  fileprivate var name: StaticString {
    switch self {
    case .journey: "journey"
    case .device: "device"
    case .wake: "wake"
    case .trail: "trail"
    }
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
