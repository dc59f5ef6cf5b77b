internal import Glibc
internal import Lifecycle

/// Writes summaries. They are derived: losing one costs time, never an answer.
///
/// Events wait for every transaction, and a summary may have a hundred megabytes. So what is stored is compared without one, and what
/// changed is written in small ones with rests between, as a version that nobody reads before the last of them puts it in force.
public struct SummaryWriter: ~Copyable {
  private let connection: Connection
  private let log = LogLength()

  public init(path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try Schema.requireCurrent(connection)
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864")
    log.watch(connection)
    self.connection = connection
  }

  /// Puts a summary in place of the one before, unless what was known at its last event can be told no more, rows were taken back
  /// since it was counted, or another is begun meanwhile.
  public func store(
    _ state: SummaryState, _ parts: [SummaryPart], app: String, generation: Int64, as kind: SummaryKind = .whole
  ) throws(StoreError) {
    guard let turn = try begin(state, app: app, generation: generation, as: kind) else { return }
    var changes = try changes(parts, turn)[...]
    var patience = LogPatience()
    while let some = Self.first(of: changes), some.endIndex < changes.endIndex {
      let begin = ContinuousClock.now
      guard try write(some, turn) else { return }
      changes = changes[some.endIndex...]
      Self.rest(after: .now - begin)
      if log.pages > Self.longLog { try connection.awaitShortLog(&patience) }
    }
    _ = try write(changes, turn, last: state)
  }

  /// Bytes that one transaction writes; a column that has more is written by itself.
  private static let most = 512 << 10
  /// Pages of the log from which on it is moved into the file.
  private static let longLog = 1024

  private static func first(of changes: ArraySlice<Change>) -> ArraySlice<Change>? {
    guard let first = changes.first else { return nil }
    var bytes = first.bytes
    let rest = changes.dropFirst().drop { change in
      bytes += change.bytes
      return bytes < most
    }
    return changes[..<rest.startIndex]
  }

  /// Who waits for a transaction looks again every few milliseconds.
  private static func rest(after took: Duration) {
    usleep(UInt32(min(200_000, max(5_000, (took * 2) / Duration.microseconds(1)))))
  }
}

// MARK: In steps

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

    fileprivate var bytes: Int { max(packed?.count ?? 0, removed.reduce(0) { $0 + $1.bytes }) + 100 }
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
        let column = columns.take(SummaryRows.Place(part))
        changes.append(try Self.holds(column, part.packed, equals) ? column.staying : column.becoming(part.packed))
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
        for row in change.removed { try delete.run(all: change.place.key(turn.app, row.version)) }
        guard let packed = change.packed else { continue }
        try insert.run(all: change.place.key(turn.app, turn.version) + [.blob(packed)])
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
  fileprivate func key(_ app: Int64, _ version: Int64) -> [Value] {
    [
      .integer(app), .integer(release), .text(channel), .text(platform),
      .integer(SummaryRows.part(number, version)),
    ]
  }
}
