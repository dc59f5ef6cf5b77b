import CSodium
public import Lifecycle

/// What a key may do. `admin` may do everything, for its app.
public enum Scope: String, CaseIterable, Sendable {
  case ingest, read, admin

  public func allows(_ wanted: Scope) -> Bool { self == wanted || self == .admin }
}

/// A key as the database knows it: everything but the key itself.
public struct AccessKey: Equatable, Sendable {
  public var id: Int64
  public var app: String
  public var scope: Scope
  public var note: String?
  public var createdAt: Timestamp
  public var revokedAt: Timestamp?
  var hash: [UInt8]
}

/// The keys that are valid now, for comparing what a client presents.
public struct KeyRing: Sendable {
  private let keys: [AccessKey]

  init(_ keys: [AccessKey]) { self.keys = keys.filter { $0.revokedAt == nil } }

  public var isEmpty: Bool { keys.isEmpty }

  /// The key that was presented. Every key is compared, each in constant time.
  public func find(_ presented: String) -> AccessKey? {
    let hash = AccessKey.hash(presented)
    var found: AccessKey?
    for key in keys where sodium_memcmp(key.hash, hash, hash.count) == 0 { found = key }
    return found
  }
}

extension AccessKey {
  static func hash(_ presented: String) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 32)
    let text = Array(presented.utf8)
    crypto_generichash(&hash, hash.count, text, UInt64(text.count), nil, 0)
    return hash
  }

  /// 160 random bits behind a prefix that says what it is to whoever finds it in a log.
  static func newSecret(_ scope: Scope) -> String {
    let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
    return "upk_\(scope.rawValue)_" + String(randomBytes(32).map { digits[Int($0 & 31)] })
  }
}

extension Registry {
  /// Makes a key and tells it this once: only its hash is stored.
  public func createKey(app: String, scope: Scope, note: String? = nil, now: Timestamp) throws(StoreError) -> (
    key: AccessKey, secret: String
  ) {
    let secret = AccessKey.newSecret(scope)
    let hash = AccessKey.hash(secret)
    let id = try write { connection throws(StoreError) in
      try connection.prepare("INSERT INTO key (app, scope, hash, note, created_at) VALUES (?, ?, ?, ?, ?) RETURNING id")
        .first(
          .text(app), .text(scope.rawValue), .blob(hash), .optional(note), .integer(now.rawValue),
          row: { $0.integer(0) }) ?? 0
    }
    return (AccessKey(id: id, app: app, scope: scope, note: note, createdAt: now, hash: hash), secret)
  }

  /// True where there was such a key and it was still valid.
  public func revokeKey(_ id: Int64, now: Timestamp) throws(StoreError) -> Bool {
    try write { connection throws(StoreError) in
      try connection.prepare("UPDATE key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL RETURNING id")
        .first(.integer(now.rawValue), .integer(id), row: { $0.integer(0) }) != nil
    }
  }

  public func keys() throws(StoreError) -> [AccessKey] {
    try write { connection throws(StoreError) in try AccessKey.all(connection) }
  }

  public func keyRing() throws(StoreError) -> KeyRing { KeyRing(try keys()) }
}

extension AccessKey {
  static func all(_ connection: borrowing Connection) throws(StoreError) -> [AccessKey] {
    try connection.prepare("SELECT id, app, scope, note, created_at, revoked_at, hash FROM key ORDER BY id").rows {
      AccessKey(
        id: $0.integer(0), app: $0.text(1), scope: Scope(rawValue: $0.text(2)) ?? .ingest, note: $0.optionalText(3),
        createdAt: Timestamp(rawValue: $0.integer(4)), revokedAt: $0.optionalInteger(5).map(Timestamp.init(rawValue:)),
        hash: $0.blob(6))
    }
  }
}
