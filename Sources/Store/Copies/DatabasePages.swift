import CSQLite

/// The pages of a database file, through SQLite's own descriptor: closing another one would give up its locks.
struct DatabasePages {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let path: String
  let size: Int

  init(_ connection: borrowing Connection, size: Int) throws(StoreError) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    try connection.check(sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file))
    guard let file, file.pointee.pMethods != nil else {
      throw StoreError(.inputOutput, path: connection.path, reason: "SQLite has no file of it")
    }
    (self.file, path, self.size) = (file, connection.path, size)
  }

  /// Zeros behind the end of the file.
  func read(_ number: Int, into page: inout [UInt8]) throws(StoreError) {
    let offset = sqlite3_int64((number - 1) * size)
    let code = page.withUnsafeMutableBytes {
      file.pointee.pMethods.pointee.xRead(file, $0.baseAddress, Int32(size), offset)
    }
    guard code == SQLITE_OK || code == SQLITE_IOERR | 2 << 8 else {
      throw StoreError(code: code, path: path, reason: "page \(number) could not be read")
    }
  }

  /// As the header says.
  func count() throws(StoreError) -> Int {
    var page = [UInt8](repeating: 0, count: size)
    try read(1, into: &page)
    return page[28..<32].reduce(0) { $0 << 8 | Int($1) }
  }
}
