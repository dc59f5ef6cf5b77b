internal import Lifecycle

/// The steps in which a summary is written.
extension SummaryWriter {
  /// The right to store a summary: lost to whoever begins after it.
  struct Turn {
    let app: Int64
    /// The last event that the summary knows.
    let folded: Int64
    let generation: Int64
    let version: Int64
    /// The version in force.
    let before: Int64?
  }

  /// One row that comes, and those that make room for it.
  struct Change {
    var place: SummaryRows.Place
    var removed: [SummaryRows.Row]
    /// nil where no row comes; empty where a column is no more.
    var packed: [UInt8]?

    var bytes: Int { max(packed?.count ?? 0, removed.reduce(0) { $0 + $1.bytes }) + 100 }
  }

  /// nil where the summary is late.
  func begin(
    _ state: SummaryState, app: String, generation: Int64, as kind: SummaryKind
  ) throws(StoreError) -> Turn? {
    try connection.transaction { () throws(StoreError) in
      guard try isInTime(state.folded, generation),
        let app = try connection.prepare("SELECT id FROM name WHERE text = ?").first(
          .text(app), row: { kind.key($0.integer(0)) })
      else { return nil }
      let before = try SummaryRows.version(connection, app)
      // A program that knows no versions must not take for whole what is half removed.
      if before == nil { try connection.prepare("DELETE FROM summary_state WHERE app = ?").run(.integer(app)) }
      let version = max(try begun(app), before ?? 0) + 1
      try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(
        Self.key(app), .integer(version))
      return Turn(app: app, folded: state.folded, generation: generation, version: version, before: before)
    }
  }

  private func isInTime(_ folded: Int64, _ generation: Int64) throws(StoreError) -> Bool {
    guard try Generation.read(connection) == generation else { return false }
    return try SummarisedEnd.tells(connection, upTo: folded)
  }

  /// The version of the summary that was begun last; 0 where none was.
  private func begun(_ app: Int64) throws(StoreError) -> Int64 {
    try connection.prepare("SELECT value FROM meta WHERE key = ?").first(Self.key(app)) { $0.integer(0) } ?? 0
  }

  private static func key(_ app: Int64) -> Value { .text("summary \(app)") }

  /// Columns that are as they were stay: those of releases that nobody waits for are nearly all.
  func changes(_ parts: [SummaryPart], _ turn: Turn) throws(StoreError) -> [Change] {
    try connection.snapshot { () throws(StoreError) in
      var columns = StoredColumns(try SummaryRows.all(connection, turn.app), inForce: turn.before)
      let equals = try connection.prepare("SELECT packed = ?2 FROM summary WHERE rowid = ?1")
      var changes: [Change] = []
      for part in parts {
        let (column, bytes) = (columns.take(SummaryRows.Place(part)), SqueezedColumn.stored(part.packed))
        changes.append(try Self.holds(column, bytes, equals) ? column.staying : column.becoming(bytes))
      }
      for column in columns.rest {
        changes.append(try Self.holds(column, [], equals) ? column.removal : column.becoming([]))
      }
      return changes.filter { $0.packed != nil || !$0.removed.isEmpty }
    }
  }

  /// No row is the same as no bytes: there is no such column.
  private static func holds(
    _ column: StoredColumns.Column, _ packed: [UInt8], _ equals: borrowing Statement
  ) throws(StoreError) -> Bool {
    guard let row = column.inForce else { return packed.isEmpty }
    return try equals.first(.integer(row.id), .blob(packed)) { $0.integer(0) } == 1
  }

  /// In one transaction; false where the turn is over, and then nothing is done.
  ///
  /// - Parameter state: puts the version in force after the last changes.
  func write(
    _ changes: ArraySlice<Change>, _ turn: Turn, last state: SummaryState? = nil
  ) throws(StoreError) -> Bool {
    try connection.transaction { () throws(StoreError) in
      guard try isStillOn(turn) else { return false }
      let delete = try connection.prepare(
        "DELETE FROM summary WHERE app = ? AND release = ? AND channel = ? AND platform = ? AND part = ?")
      let insert = try connection.prepare("INSERT OR REPLACE INTO summary VALUES (?, ?, ?, ?, ?, ?)")
      for change in changes {
        for row in change.removed { try delete.run(all: change.place.key(turn.app, row.part)) }
        guard let packed = change.packed else { continue }
        let part = SummaryRows.part(change.place.number, turn.version)
        try insert.run(all: change.place.key(turn.app, part) + [.blob(packed)])
      }
      if let state { try putInForce(state, turn) }
      return true
    }
  }

  private func isStillOn(_ turn: Turn) throws(StoreError) -> Bool {
    guard try isInTime(turn.folded, turn.generation), try begun(turn.app) == turn.version else { return false }
    return try SummaryRows.version(connection, turn.app) == turn.before
  }

  private func putInForce(_ state: SummaryState, _ turn: Turn) throws(StoreError) {
    try connection.prepare("INSERT OR REPLACE INTO summary_state VALUES (?, ?, ?, ?, ?, ?)").run(
      .integer(turn.app), .integer(state.folded), .integer(state.since.rawValue), .integer(state.until.rawValue),
      .optional(state.dataThrough?.rawValue), .text(VersionedGround(version: turn.version, text: state.ground).stored))
  }
}

extension SummaryRows.Place {
  /// The values of a row's key, in the order of its columns.
  fileprivate func key(_ app: Int64, _ part: Int64) -> [Value] {
    [.integer(app), .integer(release), .text(channel), .text(platform), .integer(part)]
  }
}
