import CSodium

/// Two secret keys, 16 bytes each: with them ids become hashes that nobody without the keys can test a guess against.
public struct IdentityKeys: Equatable, Sendable {
  public var device: [UInt8]
  public var event: [UInt8]

  public init(device: [UInt8], event: [UInt8]) {
    precondition(device.count == 16 && event.count == 16, "identity keys have 16 bytes")
    self.device = device
    self.event = event
  }

  /// Made once, when the database is, and kept in it.
  static func loadOrCreate(_ connection: borrowing Connection) throws(StoreError) -> IdentityKeys {
    if let keys = try load(connection) { return keys }
    let insert = try connection.prepare("INSERT OR IGNORE INTO meta (key, value) VALUES ('identity_keys', ?)")
    try insert.run(.blob(randomBytes(32)))
    guard let keys = try load(connection) else {
      throw StoreError(.corrupt, path: connection.path, reason: "the identity keys cannot be read back")
    }
    return keys
  }

  /// They are made with the database.
  static func required(_ connection: borrowing Connection) throws(StoreError) -> IdentityKeys {
    if let keys = try load(connection) { return keys }
    throw StoreError(.corrupt, path: connection.path, reason: "the identity keys are missing")
  }

  static func load(_ connection: borrowing Connection) throws(StoreError) -> IdentityKeys? {
    let select = try connection.prepare("SELECT value FROM meta WHERE key = 'identity_keys'")
    guard let bytes = try select.first(row: { $0.blob(0) }), bytes.count == 32 else { return nil }
    return IdentityKeys(device: Array(bytes[..<16]), event: Array(bytes[16...]))
  }
}

func randomBytes(_ count: Int) -> [UInt8] {
  _ = sodium_init()
  var bytes = [UInt8](repeating: 0, count: count)
  randombytes_buf(&bytes, count)
  return bytes
}
