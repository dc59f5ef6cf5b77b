/// A stretch of single events that left the event table, or is about to.
struct Removed {
  /// How far the removal is. Killed at any of them, the next run goes on from there.
  enum State: Int64 {
    /// The archive may be there, in part or whole; all events still are.
    case planned
    /// The archive, where there is one, is on disk; events go, some at a time.
    case removing
    case gone
  }

  var id: Int64
  /// Numbers of events. Only those within that are older than `before` are meant.
  var first, last: Int64
  var before: Int64
  var state: State
  var events: Int64
  /// nil where they are dropped.
  var archive: String?

  static func any(_ connection: borrowing Connection) throws(StoreError) -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM removed WHERE state > 0)") != 0
  }

  /// A fold cannot begin where its events are gone.
  static func requireNone(after watermark: Int64, _ connection: borrowing Connection) throws(StoreError) {
    let last = try connection.integer("SELECT max(last) FROM removed WHERE state > 0")
    guard last > watermark else { return }
    throw StoreError(.refused(.eventsGone(upTo: last, watermark: watermark)), path: connection.path)
  }

  static func all(_ connection: borrowing Connection) throws(StoreError) -> [Removed] {
    try connection.prepare("SELECT id, first, last, before, state, events, archive FROM removed ORDER BY id").rows {
      Removed(
        id: $0.integer(0), first: $0.integer(1), last: $0.integer(2), before: $0.integer(3),
        state: State(rawValue: $0.integer(4)) ?? .gone, events: $0.integer(5), archive: $0.optionalText(6))
    }
  }

  /// Answers its number.
  static func insert(_ removed: Removed, _ connection: borrowing Connection) throws(StoreError) -> Int64 {
    try connection.prepare(
      "INSERT INTO removed (first, last, before, state, events, archive) VALUES (?, ?, ?, ?, ?, ?) RETURNING id"
    ).first(
      .integer(removed.first), .integer(removed.last), .integer(removed.before), .integer(removed.state.rawValue),
      .integer(removed.events), .optional(removed.archive), row: { $0.integer(0) }) ?? 0
  }

  /// As it is written down now; nil where it is no more: others may have put its events back.
  func current(_ connection: borrowing Connection) throws(StoreError) -> Removed? {
    try Self.all(connection).first { $0.id == id && $0.first == first && $0.last == last && $0.before == before }
  }

  /// Becomes what others made of it; done where it is no more.
  mutating func follow(_ current: Removed?) {
    guard let current else { return state = .gone }
    self = current
  }

  /// From now on its events may go; what a resend is recognised by stays.
  static func allow(
    _ removed: Removed, identities: [Int64], digest: [UInt8]?, _ connection: borrowing Connection
  ) throws(StoreError) {
    try setDigest(digest, of: removed.id, connection)
    try connection.prepare("UPDATE removed SET state = ?, events = ?, identities = ? WHERE id = ?").run(
      .integer(State.removing.rawValue), .integer(removed.events), .blob(pack(identities)), .integer(removed.id))
  }

  /// By what resends of its events are recognised; nothing where that was forgotten.
  static func identities(of id: Int64, _ connection: borrowing Connection) throws(StoreError) -> [Int64] {
    let select = try connection.prepare("SELECT identities FROM removed WHERE id = ?")
    return try select.first(.integer(id)) { row in row.withBlob(0, unpack) } ?? []
  }

  static func setIdentities(_ identities: [Int64], of id: Int64, _ connection: borrowing Connection) throws(StoreError)
  {
    try connection.prepare("UPDATE removed SET identities = ? WHERE id = ?").run(.blob(pack(identities)), .integer(id))
  }

  private static func pack(_ identities: [Int64]) -> [UInt8] {
    var packed: [UInt8] = []
    packed.reserveCapacity(identities.count * 8)
    for identity in identities { ArchiveBytes.append(UInt64(bitPattern: identity), width: 8, to: &packed) }
    return packed
  }

  private static func unpack(_ bytes: UnsafeRawBufferPointer) -> [Int64] {
    stride(from: 0, to: bytes.count - 7, by: 8).map {
      Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
    }
  }

  /// Calls `body` with the identities of removed events that resends are still compared with, the oldest first.
  static func identities(
    _ connection: borrowing Connection, after sequence: Int64, _ body: (UInt64) -> Void
  ) throws(StoreError) {
    let select = try connection.prepare(
      "SELECT identities FROM removed WHERE identities IS NOT NULL AND last > ? ORDER BY id")
    _ = try select.rows(.integer(sequence)) { row in
      for identity in row.withBlob(0, unpack) { body(UInt64(bitPattern: identity)) }
    }
  }
}
