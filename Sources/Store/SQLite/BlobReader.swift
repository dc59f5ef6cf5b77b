import CSQLite

/// One value in a table, of which pieces are read: what is not asked for is not copied.
struct BlobReader: ~Copyable {
  private let handle: OpaquePointer
  private let path: String
  private(set) var count: Int

  /// The column `packed` of a row.
  ///
  /// - Parameters:
  ///   - statement: any of the connection that it is read through.
  ///   - database: where the table is, which for a twin is `temp`.
  init(
    beside statement: borrowing Statement, _ database: StaticString = "main", table: StaticString, row: Int64
  ) throws(StoreError) {
    var opened: OpaquePointer?
    let connection = sqlite3_db_handle(statement.handle)
    let code = sqlite3_blob_open(
      connection, database.description, table.description, "packed", row, 0, &opened)
    guard code == SQLITE_OK, let opened else {
      throw StoreError(code: code, path: statement.path, reason: String(cString: sqlite3_errmsg(connection)))
    }
    handle = opened
    path = statement.path
    count = Int(sqlite3_blob_bytes(opened))
  }

  deinit { sqlite3_blob_close(handle) }

  /// The same column of another row of the table.
  mutating func move(to row: Int64) throws(StoreError) {
    let code = sqlite3_blob_reopen(handle, row)
    guard code == SQLITE_OK else { throw StoreError(code: code, path: path, reason: "a row cannot be read") }
    count = Int(sqlite3_blob_bytes(handle))
  }

  /// All bytes.
  ///
  /// - Parameter room: for as many as there are.
  func read(into room: UnsafeMutableRawBufferPointer) throws(StoreError) {
    precondition(room.count == count, "there is room for all")
    let code = sqlite3_blob_read(handle, room.baseAddress, Int32(count), 0)
    guard code == SQLITE_OK else { throw StoreError(code: code, path: path, reason: "a part of a row cannot be read") }
  }

  /// All bytes, in memory of their own.
  func read() throws(StoreError) -> [UInt8] { try read(0..<count) }

  /// - Parameter range: within the bytes.
  func read(_ range: Range<Int>) throws(StoreError) -> [UInt8] {
    var code = SQLITE_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { room, filled in
      code = sqlite3_blob_read(handle, room.baseAddress, Int32(range.count), Int32(range.lowerBound))
      filled = code == SQLITE_OK ? range.count : 0
    }
    guard code == SQLITE_OK else { throw StoreError(code: code, path: path, reason: "a part of a row cannot be read") }
    return bytes
  }
}
