/// One row of the event table in the order of its columns, the number aside. `none` is NULL.
struct EventRow {
  static let none = Int64.min

  var at: Int64
  var received: Int64
  var device: Int64
  var context: Int64
  var release: Int64
  var stage: Int64
  var trigger: Int64
  var outcome: Int64
  var reason: Int64
  var duration: Int64
  var identity: Int64
  var push: Int64
  var bytes: Int64
  var from: Int64
  var bucket: Int64
}

/// Puts rows into the event table, many to a statement: that takes a third less work than one by one.
///
/// Only the first row of a transaction says its number; SQLite counts on from there, which saves it a search per row.
struct EventInsert: ~Copyable {
  private static let many = 64
  private static let some = 8
  private let insertMany: Statement
  private let insertSome: Statement
  private let insertOne: Statement
  private var waiting: [EventRow] = []
  private var isNumbered = false

  init(_ connection: borrowing Connection) throws(StoreError) {
    let insertMany = try Self.prepare(connection, Self.many)
    let insertSome = try Self.prepare(connection, Self.some)
    let insertOne = try Self.prepare(connection, 1)
    self.insertMany = insertMany
    self.insertSome = insertSome
    self.insertOne = insertOne
    waiting.reserveCapacity(Self.many)
  }

  /// A failed row fails the transaction, so SQLite need not be able to undo a statement alone: OR FAIL.
  private static func prepare(_ connection: borrowing Connection, _ rows: Int) throws(StoreError) -> Statement {
    try connection.prepare(
      "INSERT OR FAIL INTO event VALUES", repeating: "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", count: rows)
  }

  /// Begins a transaction anew.
  mutating func begin() {
    waiting.removeAll(keepingCapacity: true)
    isNumbered = false
  }

  mutating func add(_ row: EventRow, _ number: Int64) throws(StoreError) {
    waiting.append(row)
    if !isNumbered {
      isNumbered = true
      try run(insertOne, waiting[...], number)
      waiting.removeAll(keepingCapacity: true)
    } else if waiting.count == Self.many {
      try run(insertMany, waiting[...])
      waiting.removeAll(keepingCapacity: true)
    }
  }

  /// Inserts what still waits.
  mutating func finish() throws(StoreError) {
    var rest = waiting[...]
    while !rest.isEmpty {
      let count = rest.count >= Self.some ? Self.some : 1
      if count == 1 { try run(insertOne, rest.prefix(1)) } else { try run(insertSome, rest.prefix(count)) }
      rest = rest.dropFirst(count)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private func run(
    _ statement: borrowing Statement, _ rows: ArraySlice<EventRow>, _ number: Int64? = nil
  ) throws(StoreError) {
    var before: Int32 = 0
    for row in rows {
      bind(statement, before, row)
      before += 16
    }
    if let number { statement.bind(1, number) }
    defer { statement.rewind() }
    _ = try statement.step()
  }

  private func bind(_ statement: borrowing Statement, _ before: Int32, _ row: EventRow) {
    statement.bindNull(before + 1)
    statement.bind(before + 2, row.at)
    statement.bindOptional(before + 3, row.received)
    statement.bind(before + 4, row.device)
    statement.bind(before + 5, row.context)
    statement.bindOptional(before + 6, row.release)
    statement.bind(before + 7, row.stage)
    statement.bind(before + 8, row.trigger)
    statement.bindOptional(before + 9, row.outcome)
    statement.bindOptional(before + 10, row.reason)
    statement.bindOptional(before + 11, row.duration)
    statement.bind(before + 12, row.identity)
    statement.bindOptional(before + 13, row.push)
    statement.bindOptional(before + 14, row.bytes)
    statement.bindOptional(before + 15, row.from)
    statement.bindOptional(before + 16, row.bucket)
  }
}

extension Statement {
  fileprivate func bindOptional(_ index: Int32, _ value: Int64) {
    if value == EventRow.none { bindNull(index) } else { bind(index, value) }
  }
}
