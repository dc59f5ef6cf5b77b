import CSodium
public import Lifecycle

/// What a key may do. `admin` may do everything, for its app; `metrics` reads what the service counts, for no app; `devices`
/// lists single devices, which `read` may not; `publish` registers publications and reads answers, which is what a pipeline does.
public enum Scope: String, CaseIterable, Sendable {
  case ingest, read, admin, metrics, devices, publish

  /// Counts are of all apps together, so no key of one app shows them.
  public func allows(_ wanted: Scope) -> Bool {
    self == wanted || self == .admin && wanted != .metrics || self == .publish && wanted == .read
  }
}

/// A key as the database knows it: everything but the key itself.
public struct AccessKey: Equatable, Sendable {
  public var id: Int64
  public var app: String
  public var scope: Scope
  public var note: String?
  /// The dialect whose clients present it, where it is another system's credential; nil for a key of our own.
  public var dialect: String?
  /// The channel that it stands for, where it stands for one.
  public var channel: String?
  /// Likewise the platform: of another system's clients that do not say theirs.
  public var platform: String?
  public var createdAt: Timestamp
  public var revokedAt: Timestamp?
  var hash: [UInt8]
}

/// The keys that are valid now, for comparing what a client presents.
public struct KeyRing: Sendable {
  private let keys: [AccessKey]
  /// Whether no key was ever made: only then does a request without one have access. Revoking every key closes the
  /// service to everybody, for as long as the database lasts.
  public let isOpen: Bool

  init(_ keys: [AccessKey], isOpen: Bool) {
    self.keys = keys.filter { $0.revokedAt == nil }
    self.isOpen = isOpen
  }

  /// Whether no key is valid now.
  public var isEmpty: Bool { keys.isEmpty }

  /// The key that was presented. Every key is compared, each in constant time.
  public func find(_ presented: String) -> AccessKey? {
    let hash = AccessKey.hash(presented)
    var found: AccessKey?
    for key in keys where sodium_memcmp(key.hash, hash, hash.count) == 0 { found = key }
    return found
  }

  /// The key that was registered for a dialect's own credential.
  public func registered(_ credential: String, of dialect: String) -> AccessKey? {
    find(AccessKey.presented(credential, of: dialect))
  }

  /// The key that a dialect's own credential stands for: one that was registered for it, or a key of ours in its place.
  public func find(_ credential: String, of dialect: String) -> AccessKey? {
    registered(credential, of: dialect) ?? find(credential)
  }
}

extension AccessKey {
  /// A colon is in no key of ours, so no credential can pass for one.
  static func presented(_ credential: String, of dialect: String) -> String { "\(dialect):\(credential)" }

  static func hash(_ presented: String) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 32)
    let text = Array(presented.utf8)
    crypto_generichash(&hash, hash.count, text, UInt64(text.count), nil, 0)
    return hash
  }

  /// What every key of ours begins with.
  public static let prefix = "upk_"

  /// 160 random bits behind a prefix that says what it is to whoever finds it in a log.
  static func newSecret(_ scope: Scope) -> String {
    let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
    return "\(prefix)\(scope.rawValue)_" + String(randomBytes(32).map { digits[Int($0 & 31)] })
  }
}

extension Registry {
  /// Makes a key and tells it this once: only its hash is stored.
  public func createKey(
    app: String, scope: Scope, platform: String? = nil, note: String? = nil, by author: Author = .thisUser,
    now: Timestamp
  ) throws(StoreError) -> (key: AccessKey, secret: String) {
    let secret = AccessKey.newSecret(scope)
    let key = AccessKey(
      id: 0, app: app, scope: scope, note: note, dialect: nil, channel: nil, platform: platform, createdAt: now,
      hash: AccessKey.hash(secret))
    return (try insert(key, by: author), secret)
  }

  /// Lets clients of another system add events of an app with the credential that they present anyway. Registered anew,
  /// a credential moves to the new app, channel and platform.
  public func register(
    _ credential: String, of dialect: String, app: String, channel: String? = nil, platform: String? = nil,
    note: String? = nil, by author: Author = .thisUser, now: Timestamp
  ) throws(StoreError) -> AccessKey {
    try insert(
      AccessKey(
        id: 0, app: app, scope: .ingest, note: note, dialect: dialect, channel: channel, platform: platform,
        createdAt: now, hash: AccessKey.hash(AccessKey.presented(credential, of: dialect))), by: author)
  }

  private func insert(_ key: AccessKey, by author: Author) throws(StoreError) -> AccessKey {
    var key = key
    key.id = try write { connection throws(StoreError) in
      let insert = try connection.prepare(
        """
        INSERT INTO key (app, scope, hash, note, created_at, dialect, channel, platform)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (hash) DO UPDATE SET app = ?1, note = ?4, created_at = ?5, channel = ?7, platform = ?8,
          revoked_at = NULL
        RETURNING id
        """)
      try AccessKey.close(connection)
      let id = try insert.first(
        .text(key.app), .text(key.scope.rawValue), .blob(key.hash), .optional(key.note),
        .integer(key.createdAt.rawValue), .optional(key.dialect), .optional(key.channel), .optional(key.platform),
        row: { $0.integer(0) })
      try AuditEntry.write(
        .createKey, by: author, at: key.createdAt, app: key.app, key.auditFacts(id ?? 0), connection)
      return id ?? 0
    }
    return key
  }

  /// True where there was such a key and it was still valid.
  public func revokeKey(_ id: Int64, by author: Author = .thisUser, now: Timestamp) throws(StoreError) -> Bool {
    try write { connection throws(StoreError) in
      let revoke = try connection.prepare(
        "UPDATE key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL RETURNING app")
      guard let app = try revoke.first(.integer(now.rawValue), .integer(id), row: { $0.text(0) }) else { return false }
      try AuditEntry.write(.revokeKey, by: author, at: now, app: app, [.init("key", id)], connection)
      return true
    }
  }

  public func keys() throws(StoreError) -> [AccessKey] {
    try write { connection throws(StoreError) in try AccessKey.all(connection) }
  }

  public func keyRing() throws(StoreError) -> KeyRing {
    try write { connection throws(StoreError) in
      KeyRing(try AccessKey.all(connection), isOpen: try AccessKey.isOpen(connection))
    }
  }
}

extension AccessKey {
  /// Not its note, which may name somebody: an entry is never changed.
  fileprivate func auditFacts(_ id: Int64) -> [AuditEntry.Fact?] {
    [
      .init("key", id), .init("scope", scope.rawValue), .init("for", ifSaid: dialect),
      .init("channel", ifSaid: channel), .init("platform", ifSaid: platform),
    ]
  }

  /// Whether no key was ever made. A mark beside the keys says so, too: it outlives a damaged page.
  static func isOpen(_ connection: borrowing Connection) throws(StoreError) -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM key) OR EXISTS (SELECT 1 FROM meta WHERE key = 'keyed')") == 0
  }

  static func close(_ connection: borrowing Connection) throws(StoreError) {
    try connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('keyed', 1)")
  }

  static func all(_ connection: borrowing Connection) throws(StoreError) -> [AccessKey] {
    try connection.prepare(
      "SELECT id, app, scope, note, created_at, revoked_at, hash, dialect, channel, platform FROM key ORDER BY id"
    ).rows {
      AccessKey(
        id: $0.integer(0), app: $0.text(1), scope: Scope(rawValue: $0.text(2)) ?? .ingest, note: $0.optionalText(3),
        dialect: $0.optionalText(7), channel: $0.optionalText(8), platform: $0.optionalText(9),
        createdAt: Timestamp(stored: $0.integer(4)),
        revokedAt: $0.optionalInteger(5).map(Timestamp.init(stored:)), hash: $0.blob(6))
    }
  }
}
