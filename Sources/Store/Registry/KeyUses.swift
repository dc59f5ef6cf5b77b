public import Lifecycle

/// In which hour each key was last accepted, as services note it in `meta` (`key_used ID`): by that an old key is known to be
/// idle before it is revoked.
public struct KeyUses: Sendable {
  public enum LastUse: Equatable, Sendable {
    /// The hour that begins then.
    case hour(Timestamp)
    case never
    /// It is older than the notes, and was not used since they began.
    case notKnown
  }

  /// When the notes began; nil where no service has begun them.
  public var since: Timestamp?
  /// The newest key that was there when they began: only of newer ones nothing is missing.
  private var newestBefore: Int64
  private var hours: [Int64: Timestamp]

  public func last(of key: AccessKey) -> LastUse {
    if let hour = hours[key.id] { return .hour(hour) }
    return since != nil && key.id > newestBefore ? .never : .notKnown
  }

  static let prefix = "key_used "
}

extension Timestamp {
  /// As exact as a use is noted: a row of `meta` changes once an hour at most.
  public var hourOfUse: Timestamp {
    Timestamp(rawValue: Milliseconds.hours(1).rawValue * (seconds / 3600))
  }
}

extension Registry {
  /// Notes the last hours of keys. The first time it also notes when that began, and which keys were there before.
  public func note(_ hours: [Int64: Timestamp], since began: Timestamp) throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.prepare(
        "INSERT OR IGNORE INTO meta (key, value) SELECT 'key_uses', ?1 || ' ' || coalesce(max(id), 0) FROM key"
      ).run(.integer(began.rawValue))
      // Another service may have the same keys, and a clock may be set back.
      let note = try connection.prepare(
        "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = max(value, ?2)")
      for (key, hour) in hours { try note.run(.text("\(KeyUses.prefix)\(key)"), .integer(hour.rawValue)) }
    }
  }

  public func keyUses() throws(StoreError) -> KeyUses {
    try write { connection throws(StoreError) in try KeyUses(connection) }
  }
}

extension KeyUses {
  fileprivate init(_ connection: borrowing Connection) throws(StoreError) {
    let began = try connection.prepare("SELECT value FROM meta WHERE key = 'key_uses'").first { $0.text(0) }
    let numbers = began?.split(separator: " ").compactMap { Int64($0) } ?? []
    since = numbers.count == 2 ? Timestamp(stored: numbers[0]) : nil
    newestBefore = numbers.last ?? 0
    let rows = try connection.prepare(
      "SELECT substr(key, 10), value FROM meta WHERE key >= 'key_used ' AND key < 'key_used!'"
    ).rows { (key: Int64($0.text(0)), hour: Timestamp(stored: $0.integer(1))) }
    hours = Dictionary(rows.compactMap { row in row.key.map { ($0, row.hour) } }) { max($0, $1) }
  }
}
