/// Which events of an archive a database has already, though it did not write the archive: in the table or in archives of
/// its own, under their numbers, or put in before by what stands in for their identities.
struct KnownEvents {
  private var identities: Set<Int64> = []
  private var contents: [Int64: [Int64]] = [:]

  init(_ events: ArchivedEvents, _ keys: IdentityKeys, _ connection: borrowing Connection) throws(StoreError) {
    guard let first = events.sequences.first, let last = events.sequences.last else { return }
    try findIdentities(Set(events.rows.map(\.identity)), connection)
    for removed in try Removed.all(connection) where removed.state != .planned {
      guard let path = removed.archive, DurableFile.exists(path) else { continue }
      guard removed.first <= last, first <= removed.last else { continue }
      let archived = try Archive.load(path, keys)
      for (sequence, row) in zip(archived.sequences, archived.rows) { contents[sequence] = Self.content(row) }
    }
    let stored = try connection.prepare("SELECT seq, device, at, stage FROM event WHERE seq BETWEEN ?1 AND ?2")
    stored.bind(1, first)
    stored.bind(2, last)
    while try stored.step() {
      contents[stored.integer(0)] = [stored.integer(1), stored.integer(2), stored.integer(3)]
    }
  }

  private mutating func findIdentities(_ wanted: Set<Int64>, _ connection: borrowing Connection) throws(StoreError) {
    let stored = try connection.prepare("SELECT id_hash FROM event")
    while try stored.step() {
      if wanted.contains(stored.integer(0)) { identities.insert(stored.integer(0)) }
    }
    var removed: Set<Int64> = []
    try Removed.identities(connection, after: 0) { identity in
      if wanted.contains(Int64(bitPattern: identity)) { removed.insert(Int64(bitPattern: identity)) }
    }
    identities.formUnion(removed)
  }

  func contains(_ sequence: Int64, _ row: EventRow) -> Bool {
    identities.contains(row.identity) || contents[sequence] == Self.content(row)
  }

  private static func content(_ row: EventRow) -> [Int64] { [row.device, row.at, row.stage] }
}
