import Lifecycle

extension ArchivedEvents {
  /// By what resends of them are recognised, where the database still knows.
  mutating func recallIdentities(_ removed: Removed, _ connection: borrowing Connection) throws(StoreError) {
    let known = try Removed.identities(of: removed.id, connection)
    guard known.count == rows.count else { return }
    for index in rows.indices { rows[index].identity = known[index] }
  }

  /// Under their own numbers. Answers how many were not there.
  mutating func insert(_ connection: borrowing Connection) throws(StoreError) -> Int {
    try renumber(connection)
    let stored = try connection.prepare("SELECT device, at, stage FROM event WHERE seq = ?")
    let insert = try EventRow.insertion(connection)
    var (accepted, newest) = (0, try EventSequence.newest(connection))
    for (sequence, row) in zip(sequences, rows) {
      var number = sequence
      if let other = try stored.first(.integer(sequence), row: { [$0.integer(0), $0.integer(1), $0.integer(2)] }) {
        if other == [row.device, row.at, row.stage] { continue }
        number = newest + 1
      }
      newest = max(newest, number)
      try insert.run(all: [.integer(number)] + row.values)
      accepted += 1
    }
    return accepted
  }

  /// How many stand in the table under their own numbers.
  func inPlace(_ connection: borrowing Connection) throws(StoreError) -> Int {
    let stored = try connection.prepare("SELECT device, at, stage FROM event WHERE seq = ?")
    var count = 0
    for (sequence, row) in zip(sequences, rows) {
      let found = try stored.first(.integer(sequence), row: { [$0.integer(0), $0.integer(1), $0.integer(2)] })
      if found == [row.device, row.at, row.stage] { count += 1 }
    }
    return count
  }

  /// Gives rows the numbers that their strings have in this database.
  mutating func renumber(_ connection: borrowing Connection) throws(StoreError) {
    var interner = try Interner(connection)
    try interner.refresh()
    var (contextOf, releaseOf, nameOf): ([Int64: Int64], [Int64: Int64], [Int64: Int64]) = ([:], [:], [:])
    for (id, context) in contexts.sorted(by: { $0.key < $1.key }) { contextOf[id] = try interner.context(context) }
    for (id, release) in releases.sorted(by: { $0.key < $1.key }) { releaseOf[id] = try interner.release(release) }
    for (id, name) in names.sorted(by: { $0.key < $1.key }) { nameOf[id] = try interner.name(name) }
    for index in rows.indices {
      rows[index].context = contextOf[rows[index].context] ?? rows[index].context
      rows[index].release = releaseOf[rows[index].release] ?? rows[index].release
      rows[index].from = releaseOf[rows[index].from] ?? rows[index].from
      rows[index].reason = nameOf[rows[index].reason] ?? rows[index].reason
    }
  }
}

extension EventRow {
  /// Instead of what a resend is recognised by, which is not archived: the same event of an archive has the same.
  func standIn(_ sequence: Int64) -> Int64 {
    var hash: UInt64 = 0
    for value in [sequence, at, received, device, stage, trigger, outcome, duration, push, bytes, bucket] {
      hash = (hash ^ UInt64(bitPattern: value)) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 32
    }
    return Int64(bitPattern: hash)
  }

  /// A row with its number.
  static func insertion(_ connection: borrowing Connection) throws(StoreError) -> Statement {
    try connection.prepare("INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
  }

  /// In the order of the table's columns.
  var values: [Value] {
    [
      at, received, device, context, release, stage, trigger, outcome, reason, duration, identity, push, bytes, from,
      bucket,
    ].map { $0 == Self.none ? .null : .integer($0) }
  }
}
