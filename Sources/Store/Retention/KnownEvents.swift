/// What a database holds already of an archive that it did not write: a backup may be from before it, or of a time when
/// the same numbers were given to other events.
struct KnownEvents {
  private struct Content: Hashable {
    var device, at, stage: Int64

    init(_ row: EventRow) { (device, at, stage) = (row.device, row.at, row.stage) }
    init(_ row: borrowing Row, from column: Int32) {
      (device, at, stage) = (row.integer(column), row.integer(column + 1), row.integer(column + 2))
    }
  }
  private struct Block: Hashable {
    var device: UInt64
    var first: Int64
  }

  /// By what stands in for their identities: those that were put in before.
  private var identities: Set<Int64> = []
  private var wanted: Set<Int64> = []
  /// In the table and in archives of this database's own, by number.
  private var contents: [Int64: Content] = [:]
  /// Taken out, and not to be read any more.
  private var gone: [Removed] = []
  /// Where the devices of the archive had events, also those that are gone.
  private var blocks: Set<Block> = []
  private var newest: Int64 = 0

  /// Reads every event of the table once: nobody should wait for it.
  init(_ events: ArchivedEvents, _ keys: IdentityKeys, _ connection: borrowing Connection) throws(StoreError) {
    wanted = Set(events.rows.map(\.identity))
    try readRemovals(events, keys, connection)
    try catchUp(events, connection)
    try findBlocks(events, connection)
  }

  /// Takes in what came since, within the transaction that stores.
  mutating func catchUp(_ events: ArchivedEvents, _ connection: borrowing Connection) throws(StoreError) {
    let stored = try connection.prepare("SELECT id_hash, seq FROM event WHERE seq > ?1 ORDER BY seq")
    stored.bind(1, newest)
    while try stored.step() {
      if wanted.contains(stored.integer(0)) { identities.insert(stored.integer(0)) }
      newest = stored.integer(1)
    }
    guard let first = events.sequences.first, let last = events.sequences.last else { return }
    let same = try connection.prepare("SELECT seq, device, at, stage FROM event WHERE seq BETWEEN ?1 AND ?2")
    same.bind(1, first)
    same.bind(2, last)
    while try same.step() {
      contents[same.integer(0)] = Content(same.row, from: 1)
    }
  }

  private mutating func readRemovals(
    _ events: ArchivedEvents, _ keys: IdentityKeys, _ connection: borrowing Connection
  ) throws(StoreError) {
    var found: Set<Int64> = []
    try Removed.identities(connection, after: 0) { identity in
      if wanted.contains(Int64(bitPattern: identity)) { found.insert(Int64(bitPattern: identity)) }
    }
    identities = found
    guard let first = events.sequences.first, let last = events.sequences.last else { return }
    for removed in try Removed.all(connection) where removed.state != .planned {
      guard removed.first <= last, first <= removed.last else { continue }
      if let own = Archive.readable(removed.archive, keys), try removed.wrote(own, keys, connection) {
        for (sequence, row) in zip(own.sequences, own.rows) { contents[sequence] = Content(row) }
      } else {
        gone.append(removed)
      }
    }
  }

  private mutating func findBlocks(
    _ events: ArchivedEvents, _ connection: borrowing Connection
  ) throws(StoreError) {
    var devices: Set<UInt64> = []
    for (sequence, row) in zip(events.sequences, events.rows) where gone.contains(where: { $0.covers(sequence, row) }) {
      devices.insert(UInt64(bitPattern: row.device))
    }
    for (device, numbers) in try Trails.stretches(devices, connection) {
      blocks.insert(Block(device: device, first: numbers.lowerBound))
    }
  }

  func contains(_ sequence: Int64, _ row: EventRow) -> Bool {
    identities.contains(row.identity) || contents[sequence] == Content(row)
  }

  /// Whether an event was folded here under this number and cannot be read any more: its device had one there.
  func wasCounted(_ sequence: Int64, _ row: EventRow) -> Bool {
    let first = (sequence >> TrailShard.blockBits) << TrailShard.blockBits
    return blocks.contains(Block(device: UInt64(bitPattern: row.device), first: first))
      && gone.contains { $0.covers(sequence, row) }
  }
}
