import Lifecycle

/// The connection that writes events, with its statements and the state that mirrors the table.
struct Writer: ~Copyable {
  private let connection: Connection
  private var insert: EventInsert
  private let dataVersion: Statement
  private let logLength = LogLength()
  private var interner: Interner
  private var admission: Admission
  private var receipts = ReceiptMarks()
  private(set) var lastSequence: Int64
  private var seenVersion: Int64
  private var seenGeneration: Int64
  /// What the transaction that runs has counted, and what all before it have.
  private var pendingTally = EventTally()
  private(set) var tally = EventTally()
  let identityKeys: IdentityKeys

  private init(path: String, durability: Durability, window capacity: Int) throws(StoreError) {
    let connection = try Connection(path: path, mode: .create)
    try Writer.prepareFile(connection, durability)
    let identityKeys = try IdentityKeys.loadOrCreate(connection)
    let insert = try EventInsert(connection)
    let dataVersion = try connection.prepare("PRAGMA data_version")
    let interner = try Interner(connection)
    let newest = try EventSequence.newest(connection)
    let version = try connection.integer("PRAGMA data_version")
    let generation = try Generation.read(connection)
    self.admission = Admission(window: capacity)
    self.interner = interner
    self.insert = insert
    self.dataVersion = dataVersion
    self.identityKeys = identityKeys
    self.lastSequence = newest
    self.seenVersion = version
    self.seenGeneration = generation
    self.connection = connection
  }

  /// A writer whose window of duplicates knows the newest events of the table.
  static func open(path: String, durability: Durability, window: Int) throws(StoreError) -> Writer {
    var writer = try Writer(path: path, durability: durability, window: window)
    writer.logLength.watch(writer.connection)
    try writer.interner.refresh()
    try writer.admission.know(writer.connection, after: writer.lastSequence - Int64(window), isRetained: true)
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
    try Schema.bringUpToDate(connection)
    try connection.requirePages()
  }

  mutating func append(_ batches: [EventBatch]) throws(StoreError) -> [Admitted] {
    try connection.execute("BEGIN IMMEDIATE")
    admission.begin()
    pendingTally.clear()
    insert.begin()
    interner.begin()
    let before = lastSequence
    do throws(StoreError) {
      try catchUp()
      interner.begin()
      var admitted: [Admitted] = []
      for batch in batches { admitted.append(try store(batch)) }
      try insert.finish()
      try connection.commit()
      tally.add(pendingTally)
      return admitted
    } catch {
      undo(to: before)
      throw error
    }
  }

  /// Pages of the write-ahead log after the last commit.
  var logPages: Int { logLength.pages }

  var length: FileLength { connection.length }

  func checkpoint() throws(StoreError) { try connection.checkpoint(.passive) }

  func probe() throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      _ = try Generation.read(connection)
      try connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('probe', 0)")
    }
  }

  func noteClock(_ now: Timestamp) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in try ClockMark.write(now, connection) }
  }

  /// Sets rows of `meta`; those without a value go.
  func note(_ rows: [(key: String, value: Value?)]) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      for (key, value) in rows {
        guard let value else {
          try connection.prepare("DELETE FROM meta WHERE key = ?").run(.text(key))
          continue
        }
        try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(.text(key), value)
      }
    }
  }

  func shrink() throws(StoreError) { try connection.checkpoint(.truncate) }

  /// Takes in what another program wrote to the same file since the last transaction.
  private mutating func catchUp() throws(StoreError) {
    let version = try dataVersion.first { $0.integer(0) } ?? 0
    guard version != seenVersion else { return }
    let generation = try Generation.read(connection)
    if generation == seenGeneration { try interner.refresh() } else { try interner.reload() }
    seenGeneration = generation
    let known = lastSequence
    lastSequence = max(known, try EventSequence.newest(connection))
    if lastSequence > known { try admission.know(connection, after: known) }
    seenVersion = version
  }

  private mutating func undo(to sequence: Int64) {
    try? connection.execute("ROLLBACK")
    insert.begin()
    admission.undo()
    lastSequence = sequence
    // Whatever is known of the file is read anew before the next transaction.
    (seenVersion, seenGeneration) = (-1, -1)
    interner.undo()
    receipts.forget()
  }
}

// MARK: one batch

extension Writer {
  private mutating func store(_ batch: EventBatch) throws(StoreError) -> Admitted {
    let admitted = admission.admit(batch)
    let isNew = admission.isNew
    for (index, event) in batch.events.enumerated() { pendingTally.count(event, isDuplicate: !isNew[index]) }
    guard admitted.accepted > 0 else { return admitted }
    var resolved = try ResolvedBatch(batch, &interner)
    receipts.begin(batch)
    for (index, event) in batch.events.enumerated() where isNew[index] {
      lastSequence += 1
      let received = batch.received(at: index)
      receipts.see(event, received)
      try insert.add(row(event, received, &resolved), lastSequence)
    }
    try receipts.finish(batch, connection)
    return admitted
  }

  private mutating func row(
    _ event: Event, _ received: Timestamp?, _ ids: inout ResolvedBatch
  ) throws(StoreError) -> EventRow {
    EventRow(
      at: event.at.rawValue, received: received?.rawValue ?? EventRow.none,
      device: Int64(bitPattern: event.device.rawValue), context: ids.contexts[Int(event.context)],
      release: try ids.release(event.release, event.context, &interner), stage: Int64(event.stage.code),
      trigger: Int64(event.trigger.code), outcome: event.outcome.map { Int64($0.code) } ?? EventRow.none,
      reason: try ids.name(event.reason, &interner), duration: event.duration?.rawValue ?? EventRow.none,
      identity: Int64(bitPattern: event.identity),
      push: event.push == 0 ? EventRow.none : Int64(bitPattern: event.push), bytes: event.bytes ?? EventRow.none,
      from: try ids.release(event.from, event.context, &interner),
      bucket: event.bucket.map(Int64.init) ?? EventRow.none)
  }
}
