public import Lifecycle

/// One consistent reading of the database: everything acknowledged when it was taken, folded or not. Never writes.
public struct Snapshot: ~Copyable {
  let connection: Connection
  let waiting: WaitingEvents
  public let vocabulary: Vocabulary
  /// Where the devices are, if not in the file.
  let remote: (any RemoteDatabase)?
  /// Of who reads one after another, in all.
  var logPatience = LogPatience(.seconds(30))
  /// Backups and exports are a file's.
  public var isFile: Bool { remote == nil }

  /// - Parameter path: of a file, or the address of another engine.
  public init(path: String) throws(StoreError) {
    if let remote = try RemoteDatabases.open(path) { try self.init(remote) } else { try self.init(file: path) }
  }

  /// Nothing is stored here but the vocabulary.
  public init(_ remote: any RemoteDatabase) throws(StoreError) {
    let connection = try Connection(path: ":memory:", mode: .create)
    try Schema.migrate(connection, .none)
    waiting = try WaitingEvents(connection)
    vocabulary = remote.vocabulary
    self.connection = connection
    self.remote = remote
  }

  private init(file path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .read)
    connection.keepPatience()
    try Schema.requireCurrent(connection)
    try connection.execute("PRAGMA query_only = ON; BEGIN")
    try connection.execute(Self.reading)
    let waiting = try WaitingEvents(connection)
    var vocabulary = try Vocabulary(connection)
    vocabulary.merge(waiting.head.sightings)
    self.vocabulary = vocabulary
    self.waiting = waiting
    self.connection = connection
    remote = nil
  }

  /// How questions read that come back to what they read.
  static let reading: StaticString = "PRAGMA cache_size = -2048"

  /// The journeys of one shard on the releases asked for.
  public struct Journeys {
    public var release: Int64
    public var channel: Int64
    public var shard: JourneyShard
  }

  /// The keys that ids were hashed with; they are made with the database.
  public func identityKeys() throws(StoreError) -> IdentityKeys {
    if let remote { throw .onlyInFiles("the keys that ids are hashed with", remote.address) }
    if let keys = try IdentityKeys.load(connection) { return keys }
    throw StoreError(.corrupt, path: connection.path, reason: "the identity keys are missing")
  }

  /// What the devices of an app said of themselves; another app's words are nobody's business.
  public func profiles(of app: String?) throws(StoreError) -> ProfileTable {
    guard let app, vocabulary.apps.count > 1 else { return ProfileTable(vocabulary) }
    let ids = try profileNumbers(app)
    return ProfileTable(ProfileWords(vocabulary.profiles.filter { ids.contains($0.key) }))
  }

  private func profileNumbers(_ app: String) throws(StoreError) -> Set<Int64> {
    if let remote { return try appID(app).map { app throws(StoreError) in try remote.profiles(app) } ?? [] }
    let own = try connection.prepare("SELECT DISTINCT profile FROM context WHERE app = ?").rows(.text(app)) {
      $0.integer(0)
    }
    return Set(own)
  }

  func appID(_ app: String) -> Int64? { vocabulary.names.first { $0.value == app }?.key }

  /// The alphabetical place of each name.
  var nameRanks: [Int64: Int] {
    Dictionary(
      uniqueKeysWithValues: vocabulary.names.sorted { $0.value < $1.value }.enumerated().map { ($1.key, $0) })
  }

  var nameOrder: NameOrder { NameOrder(channels: nameRanks, releases: vocabulary.releases) }

  /// What events that are not folded say of the devices of a shard.
  func facts(_ shard: Int) throws(StoreError) -> Facts {
    try waiting.facts(shard, waiting.read(shard, SortedRows(connection)), path: connection.path)
  }

  func devices(
    _ place: DevicePlace, _ stored: borrowing StoredShards, _ facts: Facts
  ) throws(StoreError) -> DeviceShard {
    let devices = try stored.devices(place)
    return facts.devices[place].map(devices.merging) ?? devices
  }

  /// The journeys of one shard on the given releases and channels, as far as there are any.
  func journeys(
    _ shard: Int, _ places: [(release: Int64, channel: Int64)], _ stored: borrowing StoredShards, _ facts: Facts,
    _ ranks: [Int64: Int]
  ) throws(StoreError) -> [Journeys] {
    var journeys: [Journeys] = []
    for (release, channel) in places {
      let place = JourneyPlace(shard: shard, release: release, channel: channel)
      var found = try stored.journeys(place)
      if let facts = facts.journeys[place] { found = found.merging(facts) { ranks[$0] ?? .max } }
      if !found.devices.isEmpty { journeys.append(Journeys(release: release, channel: channel, shard: found)) }
    }
    return journeys
  }

  func journeyPlaces(_ releases: Set<Int64>, app: Int64) throws(StoreError) -> [(release: Int64, channel: Int64)] {
    if let remote {
      let places = try remote.journeyPlaces(app).filter { releases.contains($0.release) }
      return places.map { (release: $0.release, channel: $0.channel) }
        .sorted { ($0.release, $0.channel) < ($1.release, $1.channel) }
    }
    let stored = try connection.prepare("SELECT DISTINCT release, channel FROM journey").rows {
      ($0.integer(0), $0.integer(1))
    }
    let unfolded = waiting.head.places.journeys.map { ($0.release, $0.channel) }
    var seen: Set<[Int64]> = []
    return (stored + unfolded).filter { releases.contains($0.0) && seen.insert([$0.0, $0.1]).inserted }
      .map { (release: $0.0, channel: $0.1) }.sorted { ($0.release, $0.channel) < ($1.release, $1.channel) }
  }

  public func publications() -> [Publication] { vocabulary.releases.flatMap(\.publications) }
}
