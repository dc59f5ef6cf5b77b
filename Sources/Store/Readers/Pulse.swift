public import Lifecycle

/// Whether anything has changed, and how many events come in: cheap enough to be asked several times a second.
public struct Pulse: Equatable, Sendable {
  /// Another one whenever an answer may be another one. Only says something beside another pulse of the same process.
  public var version: Int
  /// Events received within `window` before the reading.
  public var recentEvents: Int
  public static let window = Milliseconds.seconds(10)

  /// - Parameter app: nil for all.
  public init(path: String, app: String?, now: Timestamp) throws(StoreError) {
    let connection = try Connection(path: path, mode: .read)
    try connection.execute("PRAGMA query_only = ON; BEGIN")
    let newest = try EventSequence.newest(connection)
    var hasher = Hasher()
    hasher.combine(newest)
    hasher.combine(try Generation.read(connection))
    hasher.combine(try Pulse.publications(connection))
    version = hasher.finalize()
    recentEvents = try Pulse.events(connection, upTo: newest, since: now - Pulse.window, app)
  }

  /// What of publications may be corrected.
  private static func publications(_ connection: borrowing Connection) throws(StoreError) -> [Int64] {
    let registered = try connection.prepare("SELECT id, published_at, mandatory FROM publication ORDER BY id").rows {
      [$0.integer(0), $0.integer(1), $0.integer(2)]
    }
    let steps = try connection.prepare("SELECT publication, at, percent FROM rollout_step ORDER BY 1, 2").rows {
      [$0.integer(0), $0.integer(1), Int64($0.real(2) * 1000)]
    }
    return (registered + steps).flatMap(\.self)
  }

  /// Counted back from the newest in pieces that double, until one holds none: a hundred rows are read where nothing comes in.
  private static func events(
    _ connection: borrowing Connection, upTo newest: Int64, since start: Timestamp, _ app: String?
  ) throws(StoreError) -> Int {
    let count = try connection.prepare(
      """
      SELECT count(*), coalesce(sum(?4 IS NULL OR c.app = ?4), 0) FROM event e JOIN context c ON c.id = e.context
      WHERE e.seq > ?1 AND e.seq <= ?2 AND e.received >= ?3
      """)
    var (total, end, size) = (0, newest, Int64(100))
    while end > 0 {
      let found = try count.first(
        .integer(end - size), .integer(end), .integer(start.rawValue), .optional(app)
      ) { (Int($0.integer(0)), Int($0.integer(1))) }
      guard let found, found.0 > 0 else { return total }
      (total, end, size) = (total + found.1, end - size, min(size * 2, 10_000))
    }
    return total
  }
}
