import Lifecycle

/// Devices whose single events no device can have sent: made up, or many devices under one id.
///
/// Limits are far beyond what clients do that retry, that send weeks at once, or whose clocks stand still.
enum ImpossibleHistories {
  struct Device: Equatable {
    var hash: UInt64
    var app: String
    var reason: String
  }

  /// A client that was offline for months and says no times has a few hundred events of one minute.
  static let mostInAMinute: Int64 = 2000
  /// A busy team publishes some dozens of builds a day, and a device skips most of them.
  static let mostReleasesInADay: Int64 = 100
  /// Of releases that nobody registered and nobody else mentioned: a developer's device has some of its own.
  static let mostReleasesOfItsOwn: Int64 = 50
  /// So many of the newest events are looked at in a quick examination.
  static let quickly: Int64 = 1_000_000

  /// In order of apps and devices; one reason each, the first that holds.
  static func devices(_ connection: borrowing Connection, isFull: Bool) throws(StoreError) -> [Device] {
    let newest = try connection.integer("SELECT coalesce(max(seq), 0) FROM event")
    let first = isFull ? 0 : newest - quickly
    var found: [Device] = []
    for rule in rules {
      let rows = try connection.prepare(rule.sql).rows(.integer(first), .integer(rule.most)) {
        Device(hash: UInt64(bitPattern: $0.integer(0)), app: $0.text(1), reason: "\($0.integer(2)) \(rule.words)")
      }
      found += rows.filter { row in !found.contains { $0.hash == row.hash && $0.app == row.app } }
    }
    return found.sorted { ($0.app, $0.hash) < ($1.app, $1.hash) }
  }

  private struct Rule {
    var most: Int64
    var words: String
    /// Device, app and the largest count; from which event on, and what is allowed.
    var sql: StaticString
  }

  private static var rules: [Rule] {
    [
      Rule(most: mostInAMinute, words: "events within a minute", sql: inAMinute),
      Rule(most: mostReleasesInADay, words: "releases within a day", sql: inADay),
      Rule(most: mostReleasesOfItsOwn, words: "releases that nobody registered or else mentioned", sql: ofItsOwn),
    ]
  }

  private static let inAMinute: StaticString = """
    SELECT device, app, max(events) FROM (
      SELECT e.device AS device, c.app AS app, count(*) AS events
        FROM event e JOIN context c ON c.id = e.context WHERE e.seq > ?1 GROUP BY 1, 2, e.at / 60000)
      WHERE events > ?2 GROUP BY device, app
    """
  private static let inADay: StaticString = """
    SELECT device, app, max(releases) FROM (
      SELECT e.device AS device, c.app AS app, count(DISTINCT e.release) AS releases
        FROM event e JOIN context c ON c.id = e.context WHERE e.seq > ?1 GROUP BY 1, 2, e.at / 86400000)
      WHERE releases > ?2 GROUP BY device, app
    """
  private static let ofItsOwn: StaticString = """
    SELECT device, app, count(*) FROM (
      SELECT min(e.device) AS device, r.app AS app FROM event e JOIN release r ON r.id = e.release
        WHERE e.seq > ?1 AND r.id NOT IN (SELECT release FROM publication)
        GROUP BY r.id HAVING min(e.device) = max(e.device))
      GROUP BY device, app HAVING count(*) > ?2
    """
}

extension ContentChecks {
  static func histories(_ connection: borrowing Connection, isFull: Bool) throws(StoreError) -> Word {
    let devices = try ImpossibleHistories.devices(connection, isFull: isFull)
    guard let first = devices.first else {
      return .ok("no device sent what none can" + (isFull ? "" : ", of the newest events; all of them with --full"))
    }
    let hash = hexadecimal(first.hash)
    return .warn(
      "\(devices.count) devices sent what none can, such as \(hash) of \(first.app): \(first.reason)",
      fix: """
        look at it: \(command: "breadcrumbs", argument: hash, options: ["hashed": nil, "app": first.app, "db": connection.path]); \
        if it is made up, give the app's next build another key
        """)
  }

  private static func hexadecimal(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
