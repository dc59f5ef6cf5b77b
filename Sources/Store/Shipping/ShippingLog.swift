import CSodium
import Locks

/// How far the events of a file have gone to a warehouse: on disk before anything is sent.
public final class ShippingLog: Sendable {
  /// One batch after another; a batch that was frozen keeps its events until it is acknowledged.
  public struct Position: Equatable, Sendable {
    /// Made once for each file and warehouse.
    public var node: UInt64
    /// Of the batch that was acknowledged last.
    public var counter: Int64 = 0
    /// The number of the last event that was acknowledged.
    public var acknowledged: Int64 = 0
    /// The number of the last event of the batch that is under way; nil where none is.
    public var frozen: Int64?
  }

  /// A stretch of events, by their numbers.
  public struct Batch: Equatable, Sendable {
    public var node: UInt64
    public var counter: Int64
    public var after: Int64
    public var last: Int64
  }

  let connection: Lock<Connection>
  public let path: String
  let warehouse: String
  private var key: String { "ship " + warehouse }

  /// - Parameter warehouse: what tells it from others, whatever its address is.
  public init(path: String, warehouse: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try Schema.requireCurrent(connection)
    try connection.execute("PRAGMA synchronous = FULL")
    (self.path, self.warehouse) = (path, warehouse)
    self.connection = Lock(connection)
  }

  public func position() throws(StoreError) -> Position? {
    try connection.withLock { connection throws(StoreError) in try read(connection) }
  }

  /// The batch that is to be sent: the one that was frozen before, else the next events, frozen now. Nil where none wait.
  public func freeze(limit: Int) throws(StoreError) -> Batch? {
    try connection.withLock { connection throws(StoreError) in
      var position = try read(connection) ?? Position(node: Self.newNode())
      if position.frozen == nil {
        guard let last = try last(after: position.acknowledged, limit, connection) else { return nil }
        position.frozen = last
        try write(position, connection)
      }
      return Batch(
        node: position.node, counter: position.counter + 1, after: position.acknowledged,
        last: position.frozen ?? position.acknowledged)
    }
  }

  /// What would be frozen next, were this one acknowledged now; nothing is written.
  public func following(_ batch: Batch, limit: Int) throws(StoreError) -> Batch? {
    try connection.withLock { connection throws(StoreError) in
      try last(after: batch.last, limit, connection).map {
        Batch(node: batch.node, counter: batch.counter + 1, after: batch.last, last: $0)
      }
    }
  }

  private func last(after: Int64, _ limit: Int, _ connection: borrowing Connection) throws(StoreError) -> Int64? {
    let select = try connection.prepare(
      "SELECT max(seq) FROM (SELECT seq FROM event WHERE seq > ?1 ORDER BY seq LIMIT ?2)")
    return try select.first(.integer(after), .integer(Int64(limit))) { $0.optionalInteger(0) } ?? nil
  }

  /// Changes whenever rows are taken back.
  public func generation() throws(StoreError) -> Int64 {
    try connection.withLock { connection throws(StoreError) in try Generation.read(connection) }
  }

  /// The warehouse has the batch: it is not sent again. One of a node that was retired meanwhile is nobody's.
  public func acknowledge(_ batch: Batch) throws(StoreError) {
    try connection.withLock { connection throws(StoreError) in
      guard try read(connection)?.node == batch.node else { return }
      try write(Position(node: batch.node, counter: batch.counter, acknowledged: batch.last), connection)
    }
  }

  /// The greatest number up to which the warehouse has every event.
  public func acknowledged() throws(StoreError) -> Int64 {
    try connection.withLock { connection throws(StoreError) in
      // Read first: what comes in meanwhile is not vouched for.
      let newest = try EventSequence.newest(connection)
      let after = try read(connection)?.acknowledged ?? 0
      let next =
        try connection.prepare("SELECT min(seq) FROM event WHERE seq > ?")
        .first(.integer(after)) { $0.optionalInteger(0) } ?? nil
      return min(newest, next.map { $0 - 1 } ?? newest)
    }
  }

  /// The events of a batch in the order of their numbers.
  public func events(_ batch: Batch) throws(StoreError) -> [ShippedEvent] {
    try connection.withLock { connection throws(StoreError) in
      let select = try connection.prepare(
        """
        SELECT take_row(?1, seq, at, received, device, context, release, stage, trigger, outcome, reason, duration, id_hash,
          push, bytes, from_release, bucket) FROM event WHERE seq > ?2 AND seq <= ?3
        """)
      select.bind(2, batch.after)
      select.bind(3, batch.last)
      var events: [ShippedEvent] = []
      events.reserveCapacity(Int(clamping: min(batch.last - batch.after, 1 << 20)))
      try RowTaker.run(select) { events.append(ShippedEvent($0)) }
      return events
    }
  }

  /// How many events wait: exact up to 10,000. Beyond that, numbers that events no longer have count as well; to go through
  /// all of them after each batch took longer than to send it.
  public func waiting() throws(StoreError) -> Int64 {
    try connection.withLock { connection throws(StoreError) in
      let after = try read(connection)?.acknowledged ?? 0
      let count = try connection.prepare("SELECT count(*) FROM (SELECT 1 FROM event WHERE seq > ? LIMIT 10001)")
        .first(.integer(after)) { $0.integer(0) }
      guard let count, count > 10_000 else { return count ?? 0 }
      return try EventSequence.newest(connection) - after
    }
  }

  /// Events that left the file before they were shipped.
  public struct Missed: Equatable, Sendable {
    /// They can be put back.
    public var archived: Int64
    /// They were dropped, or their archives were given up as lost.
    public var dropped: Int64

    public init(archived: Int64 = 0, dropped: Int64 = 0) { (self.archived, self.dropped) = (archived, dropped) }
  }

  public func missed() throws(StoreError) -> Missed {
    try connection.withLock { connection throws(StoreError) in
      let after = try read(connection)?.acknowledged ?? 0
      let select = try connection.prepare(
        """
        SELECT coalesce(sum(events) FILTER (WHERE archive IS NOT NULL), 0),
          coalesce(sum(events) FILTER (WHERE archive IS NULL), 0) FROM removed WHERE last > ?
        """)
      return try select.first(.integer(after)) { Missed(archived: $0.integer(0), dropped: $0.integer(1)) } ?? Missed()
    }
  }

  /// Tells two sets of identity keys apart, and nothing about them.
  public func identityDigest() throws(StoreError) -> String {
    let keys = try connection.withLock { connection throws(StoreError) in try IdentityKeys.required(connection) }
    let hash = WordHash.of(bytes: Array("identity".utf8) + keys.device + keys.event)
    return String(hash, radix: 16)
  }

  /// The strings that events share.
  public func words() throws(StoreError) -> ShippedWords {
    try connection.withLock { connection throws(StoreError) in try ShippedWords(connection) }
  }

  /// The last event that every warehouse has to which the file is shipped, and keeps; nil where it is shipped to none.
  static func newestShipped(_ connection: borrowing Connection) throws(StoreError) -> Int64? {
    let select = try connection.prepare("SELECT substr(key, 6), value FROM meta WHERE key LIKE 'ship %'")
    var newest: Int64?
    for (warehouse, text) in try select.rows(row: { ($0.text(0), $0.text(1)) }) {
      let acknowledged = Position(text)?.acknowledged ?? 0
      let kept = try ReturnedDevices.first(warehouse, connection).map { min(acknowledged, $0 - 1) } ?? acknowledged
      newest = min(newest ?? kept, kept)
    }
    return newest
  }

  /// How many events a warehouse lacks to which the file is shipped, or a few more; nil where it is shipped to none.
  public static func lacking(path: String) throws(StoreError) -> Int64? {
    let connection = try Connection(path: path, mode: .read)
    guard let shipped = try newestShipped(connection) else { return nil }
    return max(0, try EventSequence.newest(connection) - shipped)
  }

  /// Whether anything of a file was sent to a warehouse.
  public static func isShipped(path: String) throws(StoreError) -> Bool {
    try newestShipped(try Connection(path: path, mode: .read)) != nil
  }

  private static func newNode() -> UInt64 {
    randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) } | 1
  }

  private func read(_ connection: borrowing Connection) throws(StoreError) -> Position? {
    let text = try connection.prepare("SELECT value FROM meta WHERE key = ?").first(.text(key)) { $0.text(0) }
    return text.flatMap(Position.init)
  }

  private func write(_ position: Position, _ connection: borrowing Connection) throws(StoreError) {
    let numbers =
      [String(position.node, radix: 16), "\(position.counter)", "\(position.acknowledged)"]
      + (position.frozen.map { ["\($0)"] } ?? [])
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(
      .text(key), .text(numbers.joined(separator: " ")))
  }
}

extension ShippingLog.Position {
  /// As it lies in the file.
  init?(_ text: String) {
    let numbers = text.split(separator: " ").map(String.init)
    guard numbers.count >= 3, let node = UInt64(numbers[0], radix: 16), let counter = Int64(numbers[1]),
      let acknowledged = Int64(numbers[2])
    else { return nil }
    self.init(
      node: node, counter: counter, acknowledged: acknowledged, frozen: numbers.count > 3 ? Int64(numbers[3]) : nil)
  }
}

/// One row of the event table as plain numbers of this file; absent ones are nil.
public struct ShippedEvent: Sendable {
  public var sequence, at: Int64
  public var received: Int64?
  public var device: UInt64
  public var context: Int64
  public var release: Int64
  public var stage, trigger, outcome: UInt8
  public var reason: Int64
  public var duration: Int64?
  public var identity: UInt64
  public var push: UInt64
  public var bytes: Int64?
  public var from: Int64
  public var bucket: Int64?

  init(_ row: RowValues) {
    func optional(_ column: Int) -> Int64? { row.isNull(column) ? nil : row.integer(column) }
    (sequence, at, received) = (row.integer(0), row.integer(1), optional(2))
    device = UInt64(bitPattern: row.integer(3))
    (context, release) = (row.integer(4), row.integer(5))
    stage = UInt8(truncatingIfNeeded: row.integer(6))
    trigger = UInt8(truncatingIfNeeded: row.integer(7))
    outcome = UInt8(truncatingIfNeeded: row.integer(8))
    (reason, duration) = (row.integer(9), optional(10))
    identity = UInt64(bitPattern: row.integer(11))
    push = UInt64(bitPattern: row.integer(12))
    (bytes, from, bucket) = (optional(13), row.integer(14), optional(15))
  }
}
