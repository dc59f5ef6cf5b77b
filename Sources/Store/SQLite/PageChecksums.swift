import CPageChecksums
import CSQLite

/// Checksums at the ends of pages: `CPageChecksums` puts them there and holds pages against them as they are read.
enum PageChecksums {
  /// A new file has them from its first page on.
  static func openNew<T>(_ body: () -> T) -> T {
    page_checksums_expect(1)
    defer { page_checksums_expect(0) }
    return body()
  }

  /// Of the file itself, not of what its log will bring.
  static func areOn(_ connection: borrowing Connection) throws(StoreError) -> Bool {
    var isOn: Int32 = 0
    let kind = Int32(page_checksums_are_on)
    try connection.check(sqlite3_file_control(connection.handle, "main", kind, &isOn))
    return isOn == 1
  }

  /// From the first page of a new file on, or from the next time that it is written anew.
  static func reserve(_ handle: OpaquePointer) {
    var length = Int32(page_checksum_length)
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &length)
  }

  /// Writes a file anew that has none; killed before the end it is as it was. Only through its log do pages of the old form
  /// never meet a first page of the new one.
  static func introduce(_ connection: borrowing Connection) throws(StoreError) {
    if try areOn(connection) { return }
    let mode = try connection.prepare("PRAGMA journal_mode").first { $0.text(0) } ?? ""
    try connection.execute("PRAGMA journal_mode = WAL")
    reserve(connection.handle)
    try connection.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    if mode == "delete" { try connection.execute("PRAGMA journal_mode = DELETE") }
  }

  /// What SQLite's error says when a page is not what its checksum says.
  static let code = SQLITE_IOERR | 32 << 8

  /// The page that this thread met.
  static func damage() -> String? {
    switch page_checksums_take_damaged() {
    case let page where page > 0: "page \(page) is not what its checksum says\(ending)"
    case let frame where frame < 0: "frame \(-frame) of its write-ahead log is not what its checksum says"
    default: nil
    }
  }

  /// How `damage` of a page ends.
  static let ending = ": its bytes changed on the disk, or another program wrote into the file"
}

/// Takes a file as it is after another program wrote into it.
public enum ChecksumRenewal {
  /// Writes all checksums anew, unless SQLite finds a fault in the file. Nobody else may have it open.
  public static func run(_ path: String) throws(StoreError) {
    let users = FileUsers.of(path)
    if !users.isEmpty { throw StoreError(.refused(.inUse(processes: users)), path: path) }
    page_checksums_ignore(1)
    defer { page_checksums_ignore(0) }
    let connection = try Connection(path: path, mode: .write)
    try Schema.requireCurrent(connection)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try connection.transaction { () throws(StoreError) in
      try Integrity.require(connection)
      try connection.check(
        sqlite3_file_control(connection.handle, "main", Int32(page_checksums_renew), nil))
    }
  }
}
