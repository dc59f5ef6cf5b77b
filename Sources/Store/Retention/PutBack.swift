import Lifecycle

extension EventLog {
  /// Whether a file is an archive of events that retention took out.
  public static func isArchive(_ path: String) -> Bool { Archive.isOne(path) }

  /// Puts archived events back under their own numbers: what was folded stays folded, and no answer changes.
  ///
  /// Into a database that did not write the archive, as a backup from before, they go as new events behind the newest, to
  /// be folded. What is there already is a duplicate.
  public func putBack(archive: String) throws(StoreError) -> Admitted {
    let connection = try Connection(path: path, mode: .write)
    try connection.execute("PRAGMA synchronous = FULL")
    let keys = identityKeys
    var events = try Archive.load(archive, keys)
    var admitted = Admitted(accepted: 0, duplicate: 0)
    try exclusively { () throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        let removed = try Removed.of(events, connection)
        guard let removed else {
          admitted.accepted = try events.append(keys, connection)
          return
        }
        try events.recallIdentities(removed, connection)
        admitted.accepted = try events.insert(connection)
        try removed.delete(connection)
      }
    }
    admitted.duplicate = events.rows.count - admitted.accepted
    return admitted
  }
}

extension Removed {
  /// The finished removal that an archive came from. Numbers are given again after an older backup was restored, so the
  /// range alone does not tell.
  fileprivate static func of(
    _ events: ArchivedEvents, _ connection: borrowing Connection
  ) throws(StoreError) -> Removed? {
    guard let origin = events.origin else { return nil }
    for removed in try all(connection) where removed.state == .gone && removed.archive != nil {
      let digest = try digest(of: removed.id, connection)
      if digest.map({ $0 == origin.digest }) ?? removed.looksLike(events, origin) { return removed }
    }
    return nil
  }

  /// For what an earlier version removed: it wrote down no digest.
  private func looksLike(_ events: ArchivedEvents, _ origin: ArchivedEvents.Origin) -> Bool {
    guard let first = events.sequences.first, let last = events.sequences.last else { return false }
    return self.first <= first && last <= self.last && self.events == Int64(events.rows.count)
      && before == origin.before
  }

  fileprivate func delete(_ connection: borrowing Connection) throws(StoreError) {
    try connection.prepare("DELETE FROM removed WHERE id = ?").run(.integer(id))
    try Self.setDigest(nil, of: id, connection)
  }
}

extension ArchivedEvents {
  /// By what resends of them are recognised, where the database still knows.
  fileprivate mutating func recallIdentities(
    _ removed: Removed, _ connection: borrowing Connection
  ) throws(StoreError) {
    let known = try Removed.identities(of: removed.id, connection)
    guard known.count == rows.count else { return }
    for index in rows.indices { rows[index].identity = known[index] }
  }

  /// As new events behind the newest, where no fold has been. Answers how many were not there.
  fileprivate mutating func append(
    _ keys: IdentityKeys, _ connection: borrowing Connection
  ) throws(StoreError) -> Int {
    for index in rows.indices { rows[index].identity = rows[index].standIn(sequences[index]) }
    let known = try KnownEvents(self, keys, connection)
    try renumber(connection)
    let insert = try connection.prepare("INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
    var (accepted, newest) = (0, try EventSequence.newest(connection))
    for (sequence, row) in zip(sequences, rows) where !known.contains(sequence, row) {
      newest = max(sequence, newest + 1)
      try insert.run(all: [.integer(newest)] + row.values)
      accepted += 1
    }
    return accepted
  }

  /// Under their own numbers. Answers how many were not there.
  mutating func insert(_ connection: borrowing Connection) throws(StoreError) -> Int {
    try renumber(connection)
    let stored = try connection.prepare("SELECT device, at, stage FROM event WHERE seq = ?")
    let insert = try connection.prepare("INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
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

  /// Gives rows the numbers that their strings have in this database.
  private mutating func renumber(_ connection: borrowing Connection) throws(StoreError) {
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
  fileprivate func standIn(_ sequence: Int64) -> Int64 {
    var hash: UInt64 = 0
    for value in [sequence, at, received, device, stage, trigger, outcome, duration, push, bytes, bucket] {
      hash = (hash ^ UInt64(bitPattern: value)) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 32
    }
    return Int64(bitPattern: hash)
  }

  /// In the order of the table's columns.
  fileprivate var values: [Value] {
    [
      at, received, device, context, release, stage, trigger, outcome, reason, duration, identity, push, bytes, from,
      bucket,
    ].map { $0 == Self.none ? .null : .integer($0) }
  }
}
