/// Packed shards hold no checksum: what can be told of damage is told as a shard is opened, once, before any column is read.
///
/// Every part must be a packed column, columns that belong together as long as each other, and places in other columns
/// within them: after that no reader leaves its bytes, and no sum its range. Costs about as much as reading a third of the
/// columns. Tested in `PackedDamageTests`.
extension PackedParts {
  /// Throws where the shard is damaged; the error names its table and its row.
  func check() throws(StoreError) {
    guard let source, !isEmpty else { return }
    do throws(Damage) {
      let columns = try PackedColumns(self)
      switch source.table {
      case .journey: try columns.checkJourneys()
      case .device: try columns.checkDevices(source.wanted)
      case .wake: try columns.checkWakes(source.wanted)
      case .trail: try columns.checkTrail()
      }
    } catch { throw source.error(error.words) }
  }

  struct Damage: Error {
    var words: String
    init(_ part: Int64, _ words: String) { self.words = "part \(part) \(words)" }
  }

  /// Where parts came from.
  struct Source {
    enum Table: String { case journey, device, wake, trail }
    var path: String
    var table: Table
    var keys: [Int64]
    /// The parts that were asked for; nil for all.
    var wanted: Set<Int64>?

    private var names: [String] {
      switch table {
      case .journey: ["release", "channel", "shard"]
      case .device: ["app", "shard"]
      case .wake: ["app", "shard", "week"]
      case .trail: ["shard", "era"]
      }
    }

    func error(_ words: String) -> StoreError {
      let row = zip(names, keys).map { "\($0) \($1)" }.joined(separator: ", ")
      return StoreError(.corrupt, path: path, reason: "table \(table.rawValue), \(row): \(words)")
    }
  }
}

/// The columns of one shard, each known to be one.
struct PackedColumns {
  typealias Damage = PackedParts.Damage
  private let parts: PackedParts
  private let counts: [(part: Int64, count: Int)]

  init(_ parts: PackedParts) throws(Damage) {
    self.parts = parts
    var broken: Int64?
    var counts: [(part: Int64, count: Int)] = []
    parts.each { part, bytes in
      if let count = PackedColumn.count(bytes) { counts.append((part, count)) } else { broken = part }
    }
    if let broken { throw Damage(broken, "is no packed column") }
    self.counts = counts
  }

  private func count(_ part: Int64) -> Int? { counts.first { $0.part == part }?.count }

  private func isWanted(_ part: Int64, _ wanted: Set<Int64>?) -> Bool { wanted?.contains(part) ?? true }

  private func requireAll(_ list: [Int64], _ wanted: Set<Int64>?) throws(Damage) {
    for part in list where isWanted(part, wanted) && count(part) == nil { throw Damage(part, "is missing") }
  }

  private func require(_ part: Int64, asLongAs other: Int64) throws(Damage) {
    guard let count = count(part), let expected = self.count(other), count != expected else { return }
    throw Damage(part, "has \(count) numbers, part \(other) has \(expected)")
  }

  /// Hashes of devices, each once and in order.
  private func requireAscending(_ part: Int64) throws(Damage) {
    if !parts.view(part).isAscending { throw Damage(part, "is not in order") }
  }

  /// - Parameter lists: whose elements they count.
  private func requireLengths(_ part: Int64, of lists: Int64...) throws(Damage) {
    guard count(part) != nil else { return }
    let view = parts.view(part)
    guard view.isWithin(0..<1 << 32) else { throw Damage(part, "has lengths that no list has") }
    let total = view.sum
    for list in lists {
      if let count = count(list), count != total {
        throw Damage(list, "has \(count) numbers, part \(part) counts \(total)")
      }
    }
  }

  /// - Parameter list: of what occurs: no element is without a place.
  private func requirePlaces(_ part: Int64, in list: Int64) throws(Damage) {
    guard count(part) != nil, let end = count(list) else { return }
    try requireWithin(part, 0..<Int64(end))
    if parts.view(part).greatest ?? -1 != Int64(end) - 1 {
      throw Damage(list, "has more numbers than part \(part) mentions")
    }
  }

  /// No number outside, and none that is absent.
  private func requireWithin(_ part: Int64, _ range: Range<Int64>) throws(Damage) {
    if !parts.view(part).isWithin(range) { throw Damage(part, "has a number that none can be") }
  }

  /// As `Timestamp(stored:)` lets them be, and differences of such.
  static let times: Range<Int64> = -(1 << 51)..<1 << 51 + 1
  static let spans: Range<Int64> = 0..<1 << 52 + 1
}

// MARK: tables

extension PackedColumns {
  func checkJourneys() throws(Damage) {
    try requireAll([JourneyShard.devicesPart], nil)
    for (part, _) in counts { try require(part, asLongAs: JourneyShard.devicesPart) }
    try requireAscending(JourneyShard.devicesPart)
  }

  func checkDevices(_ wanted: Set<Int64>?) throws(Damage) {
    typealias Part = DeviceShard.Part
    typealias Outline = DeviceOutlines.Part
    func number(_ part: Part) -> Int64 { part.rawValue }
    try requireAll(Part.allCases.map(\.rawValue), wanted)
    try requireAll(RunLists.Parts.settled.all.sorted(), wanted)
    // A shard whose runs are all settled has none of them.
    let recent = RunLists.Parts.recent.all.sorted()
    if recent.contains(where: { count($0) != nil }) { try requireAll(recent, wanted) }
    // A file of before there were such outlines has none of them, or none that count.
    if count(Outline.running.rawValue) != nil {
      try requireAll(Outline.allCases.map(\.rawValue), wanted)
    }
    for part in [Part.profileCounts, .buckets] { try require(part.rawValue, asLongAs: number(.devices)) }
    let outlines = [Outline.channels, .spanCounts, .births, .birthTimes, .running].map(\.rawValue)
    for part in outlines + [DeviceOutlines.lastContacts] { try require(part, asLongAs: number(.devices)) }
    try requireAscending(number(.devices))
    try requireLengths(number(.profileCounts), of: number(.profiles), number(.profileTimes))
    try requireLengths(Outline.spanCounts.rawValue, of: Outline.spanStarts.rawValue, Outline.spanLengths.rawValue)
    for part in [number(.profileTimes), Outline.spanStarts.rawValue] { try requireWithin(part, Self.times) }
    try requireWithin(Outline.spanLengths.rawValue, Self.spans)
    try checkRuns(.settled)
    try checkRuns(.recent)
  }

  private func checkRuns(_ parts: RunLists.Parts) throws(Damage) {
    try require(parts.counts, asLongAs: DeviceShard.Part.devices.rawValue)
    try requireLengths(parts.counts, of: parts.keyPlaces, parts.starts, parts.lengths)
    try requirePlaces(parts.keyPlaces, in: parts.keys)
    try requireWithin(parts.starts, Self.times)
    try requireWithin(parts.lengths, Self.spans)
  }

  func checkWakes(_ wanted: Set<Int64>?) throws(Damage) {
    typealias Part = WakeShard.Part
    try requireAll(Part.allCases.map(\.rawValue), wanted)
    try require(Part.counts.rawValue, asLongAs: Part.devices.rawValue)
    try require(Part.kindPlaces.rawValue, asLongAs: Part.kindWhats.rawValue)
    try requireAscending(Part.devices.rawValue)
    try requireLengths(Part.counts.rawValue, of: Part.times.rawValue, Part.kinds.rawValue)
    try requirePlaces(Part.kinds.rawValue, in: Part.kindWhats.rawValue)
    try requirePlaces(Part.pushes.rawValue, in: Part.pushHashes.rawValue)
    try requireWithin(Part.times.rawValue, Self.times)
    try requireOptionals()
  }

  /// Pushes and durations are there for the facts whose kind says so.
  private func requireOptionals() throws(Damage) {
    typealias Part = WakeShard.Part
    let whats = parts.view(Part.kindWhats.rawValue)
    guard count(Part.kinds.rawValue) != nil, whats.count > 0 else { return }
    var times = [Int](repeating: 0, count: whats.count)
    parts.view(Part.kinds.rawValue).each { times[Int($0)] += 1 }
    for (part, bit) in [(Part.pushes, WakeFact.pushBit), (.durations, WakeFact.durationBit)] {
      let expected = times.indices.reduce(0) { $0 + (whats[$1] >> bit & 1 == 1 ? times[$1] : 0) }
      if let found = count(part.rawValue), found != expected {
        throw Damage(part.rawValue, "has \(found) numbers, part \(Part.kinds.rawValue) counts \(expected)")
      }
    }
  }

  func checkTrail() throws(Damage) {
    try requireAll([0, 1, 2], nil)
    try require(1, asLongAs: 0)
    try requireAscending(0)
    try requireLengths(1, of: 2)
    try requireWithin(2, 0..<1 << (TrailShard.eraBits - TrailShard.blockBits))
  }
}
