/// Reads the parts of packed shards as they lie in the file, to be unpacked elsewhere.
struct StoredParts: ~Copyable {
  typealias Parts = [Int64: [UInt8]]
  private let journeyParts: Statement
  private let deviceParts: Statement

  init(_ connection: borrowing Connection) throws(StoreError) {
    let journeyParts = try connection.prepare(
      "SELECT part, packed FROM journey WHERE release = ? AND channel = ? AND shard = ?")
    let deviceParts = try connection.prepare("SELECT part, packed FROM device WHERE app = ? AND shard = ?")
    self.journeyParts = journeyParts
    self.deviceParts = deviceParts
  }

  /// - Parameter wanted: nil for all.
  func journeys(_ place: JourneyPlace, _ wanted: Set<Int64>?) throws(StoreError) -> Parts {
    journeyParts.bind(1, place.release)
    journeyParts.bind(2, place.channel)
    journeyParts.bind(3, Int64(place.shard))
    return try parts(journeyParts, wanted)
  }

  func devices(_ place: DevicePlace, _ wanted: Set<Int64>?) throws(StoreError) -> Parts {
    deviceParts.bind(1, place.app)
    deviceParts.bind(2, Int64(place.shard))
    return try parts(deviceParts, wanted)
  }

  /// What is not wanted is passed over without a look at its bytes.
  private func parts(_ statement: borrowing Statement, _ wanted: Set<Int64>?) throws(StoreError) -> Parts {
    defer { statement.rewind() }
    var found: Parts = [:]
    while try statement.step() {
      let part = statement.integer(0)
      if wanted?.contains(part) ?? true { found[part] = statement.blob(1) }
    }
    return found
  }
}

extension DeviceShard {
  init(_ parts: StoredParts.Parts) throws(StoreError) {
    try self.init { part, body throws(StoreError) in parts[part]?.withUnsafeBytes(body) }
  }
}

extension DeviceOutlines {
  /// The parts that outlines are read from.
  static func parts(_ columns: ColumnChoice) -> Set<Int64> {
    var parts = Part.allCases.map(\.rawValue)
    parts += [DeviceShard.Part.devices, .profileCounts, .profiles].map(\.rawValue)
    if columns.hasProfileTimes { parts.append(DeviceShard.Part.profileTimes.rawValue) }
    if columns.hasBuckets { parts.append(DeviceShard.Part.buckets.rawValue) }
    return Set(parts)
  }

  /// nil where the file is of before there were outlines.
  init?(_ parts: StoredParts.Parts) throws(StoreError) {
    func values(_ part: Int64) -> [Int64] { parts[part]?.withUnsafeBytes { PackedColumn.unpack($0) } ?? [] }
    func values(_ part: DeviceShard.Part) -> [Int64] { values(part.rawValue) }
    try self.init { part throws(StoreError) in values(part.rawValue) }
    devices = values(.devices).map(JourneyShard.hash)
    profileOffsets = DeviceShard.offsets(values(.profileCounts))
    profiles = values(.profiles)
    profileTimes = values(.profileTimes)
    buckets = values(.buckets)
    if channels.count != devices.count { return nil }
  }
}

extension JourneyShard {
  /// The parts that a question reads.
  static func parts(_ columns: ColumnChoice) -> Set<Int64> {
    var parts = [devicesPart] + columns.milestones.map { Int64($0.rawValue) }
    if columns.hasReasons { parts.append(reasonsPart) }
    if columns.hasBuckets { parts.append(bucketsPart) }
    return Set(parts)
  }

  init(_ parts: StoredParts.Parts) {
    for (part, bytes) in parts { bytes.withUnsafeBytes { unpack(part: part, $0) } }
  }
}
