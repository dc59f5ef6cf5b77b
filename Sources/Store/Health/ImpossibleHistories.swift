internal import Lifecycle

/// Devices whose single events no device can have sent: made up, or many devices under one id.
///
/// Limits are far beyond what clients do that retry, that send weeks at once, or whose clocks stand still.
public enum ImpossibleHistories {
  /// The codes are in files.
  public enum Rule: Int64, CaseIterable, Sendable {
    /// A client that was offline for months and says no times has a few hundred events of one minute.
    case inAMinute = 1
    /// A busy team publishes some dozens of builds a day, and a device skips most of them.
    case inADay = 2
    /// Of releases that nobody registered and nobody else mentioned: a developer's device has some of its own.
    case ofItsOwn = 3

    /// What is possible.
    public var most: Int64 {
      switch self {
      case .inAMinute: 2000
      case .inADay: 100
      case .ofItsOwn: 50
      }
    }

    public var words: String {
      switch self {
      case .inAMinute: "events within a minute"
      case .inADay: "releases within a day"
      case .ofItsOwn: "releases that nobody registered or else mentioned"
      }
    }
  }

  struct Device: Equatable {
    var hash: UInt64
    var app: String
    var rule: Rule
    var count: Int64
    var reason: String { "\(count) \(rule.words)" }
    var identity: Identity { Identity(hash: hash, app: app) }
  }

  struct Identity: Hashable {
    var hash: UInt64
    var app: String
  }

  /// So many events are looked at together.
  public static let atOnce: Int64 = 1_000_000

  /// In order of apps and devices; one rule each, the first that holds.
  ///
  /// - Parameter numbers: of the events that are looked at.
  static func devices(
    _ connection: borrowing Connection, among numbers: ClosedRange<Int64>
  ) throws(StoreError) -> [Device] {
    var (found, known): ([Device], Set<Identity>) = ([], [])
    for rule in Rule.allCases where try mayHold(rule, connection, numbers) {
      let rows = try connection.prepare(rule.sql).rows(
        .integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(rule.most)
      ) { Device(hash: UInt64(bitPattern: $0.integer(0)), app: $0.text(1), rule: rule, count: $0.integer(2)) }
      found += rows.filter { known.insert($0.identity).inserted }
    }
    return found.sorted { ($0.app, $0.hash) < ($1.app, $1.hash) }
  }

  /// All of them, or the newest.
  static func devices(_ connection: borrowing Connection, isFull: Bool) throws(StoreError) -> [Device] {
    let newest = try connection.integer("SELECT coalesce(max(seq), 0) FROM event")
    return try devices(connection, among: (isFull ? 0 : max(0, newest - atOnce) + 1)...(newest + 1))
  }

  /// What is counted quickly, and rules most fleets out.
  private static func mayHold(
    _ rule: Rule, _ connection: borrowing Connection, _ numbers: ClosedRange<Int64>
  ) throws(StoreError) -> Bool {
    switch rule {
    case .inAMinute:
      return try connection.prepare(
        "SELECT 1 FROM event WHERE seq BETWEEN ?1 AND ?2 GROUP BY device HAVING count(*) > ?3 LIMIT 1"
      ).first(.integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(rule.most)) { _ in true } ?? false
    case .inADay: return try connection.integer("SELECT count(*) FROM release") > rule.most
    case .ofItsOwn:
      return try connection.integer(
        "SELECT count(*) FROM release WHERE id NOT IN (SELECT release FROM publication)") > rule.most
    }
  }
}

extension ImpossibleHistories.Rule {
  /// Device, app and the largest count, of events from number 1 to number 2, where that is more than 3.
  fileprivate var sql: StaticString {
    switch self {
    case .inAMinute:
      """
      SELECT device, app, max(events) FROM (
        SELECT e.device AS device, c.app AS app, count(*) AS events
          FROM event e JOIN context c ON c.id = e.context WHERE e.seq BETWEEN ?1 AND ?2 GROUP BY 1, 2, e.at / 60000)
        WHERE events > ?3 GROUP BY device, app
      """
    case .inADay:
      """
      SELECT device, app, max(releases) FROM (
        SELECT e.device AS device, c.app AS app, count(DISTINCT e.release) AS releases
          FROM event e JOIN context c ON c.id = e.context WHERE e.seq BETWEEN ?1 AND ?2 GROUP BY 1, 2, e.at / 86400000)
        WHERE releases > ?3 GROUP BY device, app
      """
    case .ofItsOwn:
      // In another shard than its own there are other devices, whose events may be earlier than those that are looked at.
      """
      SELECT device, app, count(*) FROM (
        SELECT min(e.device) AS device, r.app AS app, r.id AS release FROM event e JOIN release r ON r.id = e.release
          WHERE e.seq BETWEEN ?1 AND ?2 AND r.id NOT IN (SELECT release FROM publication)
          GROUP BY r.id HAVING min(e.device) = max(e.device)) own
        WHERE NOT EXISTS (SELECT 1 FROM journey j WHERE j.release = own.release AND j.shard <> own.device >> 58 & 63)
        GROUP BY device, app HAVING count(*) > ?3
      """
    }
  }
}

extension ContentChecks {
  static func histories(_ connection: borrowing Connection, isFull: Bool) throws(StoreError) -> Word {
    var devices = try DeviceMarks.impossible(connection)
    let known = Set(devices.map(\.identity))
    devices += try ImpossibleHistories.devices(connection, isFull: isFull).filter { !known.contains($0.identity) }
    guard let first = devices.first else {
      return .ok("no device sent what none can" + (isFull ? "" : ", of the newest events; all of them with --full"))
    }
    let hash = hexadecimal(first.hash)
    return .warn(
      "\(counted(devices.count, one: "device", many: "devices")) sent what none can, such as \(hash) of \(first.app): \(first.reason)",
      fix: """
        look at it: \(command: "breadcrumbs", argument: hash, options: ["hashed": nil, "app": first.app, "db": connection.path]); \
        answers leave such devices out with --without-impossible; if it is made up, give the app's next build another key
        """)
  }
}
