import CPageChecksums
import CSQLite
import Glibc

/// One SQLite connection with one owner, closed when it goes.
struct Connection: ~Copyable {
  let handle: OpaquePointer
  let path: String
  /// For whoever else looks after the same file.
  let length = FileLength()

  enum Mode { case create, write, read }

  /// Milliseconds for which a writer waits for another.
  static let busyTimeout: Int32 = 10_000

  init(path: String, mode: Mode) throws(StoreError) {
    try Connection.checkPlace(path, mode)
    var opened: OpaquePointer?
    let flags =
      switch mode {
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .write: SQLITE_OPEN_READWRITE
      case .read: SQLITE_OPEN_READONLY
      }
    if mode == .create { Connection.takeBackBeginning(path) }
    let isNew = mode == .create && DiskSpace.size(path) == 0
    func open() -> Int32 {
      sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, page_checksums_vfs())
    }
    let code = isNew ? PageChecksums.openNew(open) : open()
    guard code == SQLITE_OK, let opened else {
      let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw StoreError(code: code, path: path, reason: reason)
    }
    // SQLite opens a file that cannot be written for reading only, and says so when it is too late.
    if mode != .read, sqlite3_db_readonly(opened, "main") == 1 {
      sqlite3_close_v2(opened)
      throw StoreError(.readOnly, path: path, reason: "the file or its file system is read-only")
    }
    if isNew { PageChecksums.reserve(opened) }
    handle = opened
    self.path = path
    sqlite3_busy_timeout(opened, Self.busyTimeout)
    RowTaker.register(opened)
    // What is removed is overwritten: a forgotten device must not linger in unused parts of pages.
    if mode != .read { sqlite3_exec(opened, "PRAGMA secure_delete = ON", nil, nil, nil) }
  }

  deinit { sqlite3_close_v2(handle) }

  private static func checkPlace(_ path: String, _ mode: Mode) throws(StoreError) {
    guard path != ":memory:", !path.isEmpty else { return }
    if RemoteDatabases.isAddress(path) { throw StoreError(.noFile, path: path) }
    if mode == .create {
      let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      if access(directory.isEmpty ? "/" : directory, F_OK) != 0 { throw StoreError(.missingDirectory, path: path) }
      if !DurableFile.exists(path) { createForOwner(path) }
    } else if access(path, F_OK) != 0 {
      throw StoreError(.missingFile, path: path)
    }
    if DurableFile.isFolder(path) { throw StoreError(.notADatabase, path: path, reason: StoreError.folder) }
    // SQLite would take an empty file for a new one, and delete the log of the old one.
    if DiskSpace.size(path) == 0, DiskSpace.size(path + "-wal") > 0 {
      throw StoreError(.corrupt, path: path, reason: "it was emptied: there is nothing in it, and something in its log")
    }
  }

  /// A file whose first transaction was interrupted is empty once its journal is played back, and then a new one, whose pages
  /// have checksums from the first on.
  private static func takeBackBeginning(_ path: String) {
    guard DurableFile.exists(path + "-journal"), DiskSpace.size(path) > 0 else { return }
    var opened: OpaquePointer?
    if sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, page_checksums_vfs()) == SQLITE_OK {
      sqlite3_busy_timeout(opened, 10_000)
      sqlite3_exec(opened, "SELECT count(*) FROM sqlite_schema", nil, nil, nil)
    }
    sqlite3_close_v2(opened)
  }

  /// The file holds the keys that devices are hashed with; SQLite gives its logs the same mode. Where it cannot be made,
  /// SQLite says why.
  private static func createForOwner(_ path: String) {
    let descriptor = FileOwner.open(path, O_RDWR | O_CLOEXEC, likeOwnerOf: DurableFile.directory(of: path))
    guard descriptor >= 0 else { return }
    fchmod(descriptor, 0o600)
    close(descriptor)
  }

  /// Ends statements once `Patience` is over.
  func keepPatience() {
    sqlite3_progress_handler(handle, 10_000, { _ in Patience.isOver ? 1 : 0 }, nil)
  }

  func error(_ code: Int32) -> StoreError {
    StoreError(code: code, path: path, reason: String(cString: sqlite3_errmsg(handle)))
  }

  func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE else { throw error(code) }
  }

  /// Runs statements that return nothing.
  func execute(_ sql: StaticString) throws(StoreError) {
    try check(sql.withUTF8Buffer { _ in sqlite3_exec(handle, cString(sql), nil, nil, nil) })
  }

  func prepare(_ sql: StaticString) throws(StoreError) -> Statement { try prepare(text: sql.description) }

  /// `head part,part,…`: many rows in one statement.
  func prepare(_ head: StaticString, repeating part: StaticString, count: Int) throws(StoreError) -> Statement {
    try prepare(text: head.description + " " + repeatElement(part.description, count: count).joined(separator: ","))
  }

  /// One statement from pieces that are all written in the program.
  func prepare(joining parts: StaticString...) throws(StoreError) -> Statement {
    try prepare(text: parts.map(\.description).joined())
  }

  /// An empty table of the same name and shape that stands before the stored one, for this connection alone.
  func createTemporaryTwin(of table: StaticString) throws(StoreError) {
    let select = try prepare("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?")
    guard let sql = try select.first(.text(table.description), row: { $0.text(0) }), sql.hasPrefix("CREATE TABLE ")
    else { throw StoreError(.corrupt, path: path, reason: "the table \(table) is missing") }
    try check(sqlite3_exec(handle, "CREATE TEMP TABLE " + sql.dropFirst("CREATE TABLE ".count), nil, nil, nil))
  }

  /// Where a table is that statements name: a twin stands before the stored one.
  func database(of table: StaticString) throws(StoreError) -> StaticString {
    let select = try prepare("SELECT 1 FROM temp.sqlite_schema WHERE type = 'table' AND name = ?")
    return try select.first(.text(table.description), row: { _ in true }) == nil ? "main" : "temp"
  }

  /// Private, so that no value from outside can become SQL.
  private func prepare(text sql: String) throws(StoreError) -> Statement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code) }
    return Statement(handle: statement, path: path)
  }

  /// The single integer a query answers, 0 where it answers nothing.
  func integer(_ sql: StaticString) throws(StoreError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  private var isWithinTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Everything or nothing: commits when `body` returns, rolls back when it throws. Within another one it is part of it.
  func transaction<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    if isWithinTransaction { return try body() }
    try execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      let result = try body()
      try commit()
      return result
    } catch {
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  /// Ends a transaction, unless the file, its log or its index was moved or deleted since it was opened, or was cut: what is
  /// written to it then is nowhere that anybody looks.
  func commit() throws(StoreError) {
    try length.require(sizeInPlace(), self)
    try execute("COMMIT")
    // They may have gone between the look and the commit. Whoever sends the same again has it stored once.
    _ = try sizeInPlace()
  }

  /// Moves what the log holds into the file, as far as nobody keeps it from that. Pages that were cut off would come back as
  /// zeros.
  ///
  /// - Parameter length: of the file, as whoever knows it longest has seen it.
  func checkpoint(_ mode: CheckpointMode, _ length: FileLength? = nil) throws(StoreError) {
    try requireLength(length)
    switch mode {
    case .passive: try execute("PRAGMA wal_checkpoint(PASSIVE)")
    case .truncate: try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  enum CheckpointMode { case passive, truncate }

  /// Throws where the file was cut since it was opened.
  func requireLength(_ length: FileLength? = nil) throws(StoreError) {
    var size: Int64 = -1
    // Whoever moved the file moved what was open: it is filled where it is.
    if Int(page_checksums_misplaced(UnsafeMutableRawPointer(handle), &size)) != page_checksums_database {
      try (length ?? self.length).require(Int(size), self)
    }
  }

  /// Throws where the file lacks pages from the beginning.
  func requirePages() throws(StoreError) { try FileLength.requirePages(self, sizeInPlace()) }

  /// Bytes of the file; negative where there is none.
  private func sizeInPlace() throws(StoreError) -> Int {
    var size: Int64 = -1
    let misplaced = page_checksums_misplaced(UnsafeMutableRawPointer(handle), &size)
    if let moved = StoreError.Moved(misplaced: misplaced) { throw .moved(moved, path) }
    return Int(size)
  }

  /// One snapshot for all reads within `body`. Within a transaction it is that one's.
  func snapshot<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    if isWithinTransaction { return try body() }
    try execute("BEGIN")
    do throws(StoreError) {
      let result = try body()
      sqlite3_exec(handle, "COMMIT", nil, nil, nil)
      return result
    } catch {
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }
}

private func cString(_ sql: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)
}

extension StoreError {
  init(code: Int32, path: String, reason: String) {
    if code == PageChecksums.code {
      self.init(.corrupt, path: path, reason: PageChecksums.damage() ?? reason)
      return
    }
    if let moved = Moved(code: code) {
      self = .moved(moved, path)
      return
    }
    let kind: Kind =
      switch code & 0xff {
      case SQLITE_NOTADB: .notADatabase
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .readOnly
      case SQLITE_BUSY, SQLITE_LOCKED: .locked
      case SQLITE_FULL: .full
      case SQLITE_INTERRUPT: .tookTooLong
      case SQLITE_IOERR: .inputOutput
      default: .statement(code: code)
      }
    self.init(kind, path: path, reason: reason)
  }
}
