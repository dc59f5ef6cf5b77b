import CSQLite
import Lifecycle

/// The connection that writes events, with its statements and the state that mirrors the table.
struct Writer: ~Copyable {
  private let connection: Connection
  private let insert: Statement
  private let dataVersion: Statement
  private var interner: Interner
  private var window: DuplicateWindow
  private var lastSequence: Int64
  private var seenVersion: Int64
  /// Identities admitted by the transaction that runs, taken back if it fails.
  private var pending: [UInt64] = []
  /// What the transaction that runs has counted, and what all before it have.
  private var pendingTally = EventTally()
  private(set) var tally = EventTally()
  let identityKeys: IdentityKeys

  private init(path: String, durability: Durability, window capacity: Int) throws(StoreError) {
    let connection = try Connection(path: path, mode: .create)
    try Writer.prepareFile(connection, durability)
    let identityKeys = try IdentityKeys.loadOrCreate(connection)
    let insert = try connection.prepare(
      "INSERT INTO event VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16)")
    let dataVersion = try connection.prepare("PRAGMA data_version")
    let interner = try Interner(connection)
    let newest = try EventSequence.newest(connection)
    let version = try connection.integer("PRAGMA data_version")
    self.window = DuplicateWindow(capacity: capacity)
    self.interner = interner
    self.insert = insert
    self.dataVersion = dataVersion
    self.identityKeys = identityKeys
    self.lastSequence = newest
    self.seenVersion = version
    self.connection = connection
  }

  /// A writer whose window of duplicates knows the newest events of the table.
  static func open(path: String, durability: Durability, window: Int) throws(StoreError) -> Writer {
    var writer = try Writer(path: path, durability: durability, window: window)
    try writer.interner.refresh()
    try writer.fillWindow(after: writer.lastSequence - Int64(window))
    return writer
  }

  private static func prepareFile(_ connection: borrowing Connection, _ durability: Durability) throws(StoreError) {
    try connection.execute("PRAGMA page_size = 16384")
    try Schema.check(connection)
    try connection.execute("PRAGMA journal_mode = WAL")
    switch durability {
    case .full: try connection.execute("PRAGMA synchronous = FULL")
    case .normal: try connection.execute("PRAGMA synchronous = NORMAL")
    }
    try connection.execute("PRAGMA journal_size_limit = 67108864; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16384")
    try Schema.migrate(connection)
  }

  mutating func append(_ batches: [EventBatch]) throws(StoreError) -> [Admitted] {
    try connection.execute("BEGIN IMMEDIATE")
    pending.removeAll(keepingCapacity: true)
    pendingTally.clear()
    let before = lastSequence
    do throws(StoreError) {
      try catchUp()
      var admitted: [Admitted] = []
      for batch in batches { admitted.append(try store(batch)) }
      try connection.execute("COMMIT")
      tally.add(pendingTally)
      return admitted
    } catch {
      undo(to: before)
      throw error
    }
  }

  func checkpoint() throws(StoreError) { try connection.execute("PRAGMA wal_checkpoint(PASSIVE)") }

  /// Takes in what another program wrote to the same file since the last transaction.
  private mutating func catchUp() throws(StoreError) {
    let version = try dataVersion.first { $0.integer(0) } ?? 0
    guard version != seenVersion else { return }
    try interner.refresh()
    let known = lastSequence
    lastSequence = max(known, try EventSequence.newest(connection))
    if lastSequence > known { try fillWindow(after: known) }
    seenVersion = version
  }

  private mutating func undo(to sequence: Int64) {
    try? connection.execute("ROLLBACK")
    insert.reset()
    for identity in pending { window.forget(identity) }
    lastSequence = sequence
    seenVersion = -1
    try? interner.reload()
  }

  private mutating func fillWindow(after sequence: Int64) throws(StoreError) {
    let rows = try connection.prepare("SELECT id_hash FROM event WHERE seq > ?1 ORDER BY seq")
    rows.bind(1, sequence)
    while try rows.step() { _ = window.admit(UInt64(bitPattern: rows.integer(0))) }
  }
}

// MARK: one batch

extension Writer {
  private mutating func store(_ batch: EventBatch) throws(StoreError) -> Admitted {
    var resolved = try ResolvedBatch(batch, &interner)
    var accepted = 0
    for (index, event) in batch.events.enumerated() {
      let isNew = window.admit(event.identity)
      pendingTally.count(event, isDuplicate: !isNew)
      guard isNew else { continue }
      pending.append(event.identity)
      accepted += 1
      try store(event, received: batch.received(at: index), &resolved)
    }
    return Admitted(accepted: accepted, duplicate: batch.events.count - accepted)
  }

  private mutating func store(_ event: Event, received: Timestamp?, _ ids: inout ResolvedBatch) throws(StoreError) {
    lastSequence += 1
    insert.bind(1, lastSequence)
    insert.bind(2, event.at.rawValue)
    bind(3, received?.rawValue)
    insert.bind(4, Int64(bitPattern: event.device.rawValue))
    insert.bind(5, ids.contexts[Int(event.context)])
    bind(6, try ids.release(event.release, event.context, &interner))
    insert.bind(7, Int64(event.stage.code))
    insert.bind(8, Int64(event.trigger.code))
    bind(9, event.outcome.map { Int64($0.code) })
    bind(10, try ids.name(event.reason, &interner))
    bind(11, event.duration?.rawValue)
    insert.bind(12, Int64(bitPattern: event.identity))
    bind(13, event.push == 0 ? nil : Int64(bitPattern: event.push))
    bind(14, event.bytes)
    bind(15, try ids.release(event.from, event.context, &interner))
    bind(16, event.bucket.map(Int64.init))
    _ = try insert.step()
    sqlite3_reset(insert.handle)
  }

  private func bind(_ index: Int32, _ value: Int64?) {
    if let value { insert.bind(index, value) } else { sqlite3_bind_null(insert.handle, index) }
  }
}
