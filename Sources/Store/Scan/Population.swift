/// Which devices are asked for, by what is kept of them beside what they say of themselves.
public struct Population: Hashable, Sendable {
  /// Not those with impossible histories.
  public var leavesOutImpossible = false
  /// Only those that their platform vouched for.
  public var isAttested = false

  public init() {}
  public static let everybody = Population()
  public var isEverybody: Bool { self == .everybody }
}

/// The same of the devices of one shard.
struct ShardPopulation {
  fileprivate(set) var impossible: Set<UInt64> = []
  /// nil where all devices are asked for.
  fileprivate(set) var attested: Set<UInt64>?

  func leavesOut(_ device: UInt64) -> Bool {
    if let attested, !attested.contains(device) { return true }
    return !impossible.isEmpty && impossible.contains(device)
  }

  /// Whether it makes a difference to these.
  func leavesOut(anyOf devices: [UInt64]) -> Bool {
    (attested != nil || !impossible.isEmpty) && devices.contains(where: leavesOut)
  }
}

/// Reads what a population is of a shard. Only for who has the turn.
struct PopulationRows: ~Copyable {
  private let population: Population
  private let app: Int64
  private let impossible, attested: Statement

  init(_ connection: borrowing Connection, _ population: Population, app: Int64) throws(StoreError) {
    let impossible = try connection.prepare("SELECT device FROM impossible WHERE device BETWEEN ? AND ? AND app = ?")
    let attested = try connection.prepare("SELECT device FROM attested WHERE device BETWEEN ? AND ? AND app = ?")
    self.population = population
    self.app = app
    self.impossible = impossible
    self.attested = attested
  }

  func read(_ shard: Int) throws(StoreError) -> ShardPopulation {
    var read = ShardPopulation()
    if population.leavesOutImpossible { read.impossible = try devices(impossible, shard) }
    if population.isAttested { read.attested = try devices(attested, shard) }
    return read
  }

  private func devices(_ statement: borrowing Statement, _ shard: Int) throws(StoreError) -> Set<UInt64> {
    let range = Shards.range(shard)
    let found = try statement.rows(
      .integer(Int64(bitPattern: range.lowerBound)), .integer(Int64(bitPattern: range.upperBound)), .integer(app)
    ) { UInt64(bitPattern: $0.integer(0)) }
    return Set(found)
  }
}

extension Shards {
  /// The devices of one; as signed numbers they are in the same order.
  static func range(_ shard: Int) -> ClosedRange<UInt64> {
    let first = UInt64(shard) << (64 - bits)
    return first...(first | (.max >> bits))
  }
}

extension Snapshot {
  /// Devices of an app whose histories are impossible, by what made them so.
  public func impossibleDevices(of app: String) throws(StoreError) -> [(rule: ImpossibleHistories.Rule, devices: Int)] {
    guard isFile, let app = appID(app) else { return [] }
    let rows = try connection.prepare("SELECT rule, count(*) FROM impossible WHERE app = ? GROUP BY rule").rows(
      .integer(app)
    ) { row in ImpossibleHistories.Rule(rawValue: row.integer(0)).map { (rule: $0, devices: Int(row.integer(1))) } }
    return rows.compactMap(\.self)
  }

  /// About how many devices an app has; of a warehouse, how many all its apps have.
  public func roughDevices(of app: String) throws(StoreError) -> Int {
    if let remote { try remote.deviceCount() } else { try foldedDevices(of: app) }
  }

  /// About how many devices an app has: those that are folded.
  public func foldedDevices(of app: String) throws(StoreError) -> Int {
    guard isFile, let app = appID(app) else { return 0 }
    let select = try connection.prepare("SELECT packed FROM device WHERE app = ? AND part = ?")
    select.bind(1, app)
    select.bind(2, DeviceShard.Part.devices.rawValue)
    var devices = 0
    while try select.step() { devices += select.row.withBlob(0) { PackedColumn.count($0) ?? 0 } }
    return devices
  }

  /// Which of some devices are asked for.
  public func devices(_ devices: Set<UInt64>, of app: String, in population: Population) throws(StoreError) -> Set<
    UInt64
  > {
    guard !population.isEverybody, let app = appID(app) else { return devices }
    try require(population)
    let rows = try PopulationRows(connection, population, app: app)
    var left = devices
    for shard in 0..<Shards.count {
      let read = try rows.read(shard)
      left = left.filter { Shards.shard($0) != shard || !read.leavesOut($0) }
    }
    return left
  }

  /// A warehouse holds events, and not what is kept of devices beside them.
  func require(_ population: Population) throws(StoreError) {
    guard let remote, !population.isEverybody else { return }
    throw .onlyInFiles(
      population.isAttested ? "which devices are attested" : "which devices have impossible histories", remote.address)
  }
}
