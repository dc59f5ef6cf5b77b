import CSQLite

/// A prepared statement with one owner. Its SQL is a `StaticString`, so no value from outside can become SQL.
struct Statement: ~Copyable {
  let handle: OpaquePointer
  let path: String

  deinit { sqlite3_finalize(handle) }

  private var error: StoreError {
    StoreError(
      code: sqlite3_extended_errcode(sqlite3_db_handle(handle)), path: path,
      reason: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
  }

  /// True while there is a row.
  func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error
    }
  }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Ready to run again with the same values.
  func rewind() { sqlite3_reset(handle) }

  /// Binds, runs to the end, and is ready for the next call.
  func run(_ values: Value...) throws(StoreError) { try run(all: values) }

  /// Likewise, and ready for the next call; the last value is bytes that SQLite need not copy.
  func run(_ numbers: Int64..., bytes: [UInt8]) throws(StoreError) {
    defer { reset() }
    for (index, number) in numbers.enumerated() { bind(Int32(index + 1), number) }
    let code = bytes.withUnsafeBytes {
      let start = $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
      sqlite3_bind_blob64(handle, Int32(numbers.count + 1), start, UInt64($0.count), nil)
      return sqlite3_step(handle)
    }
    guard code == SQLITE_DONE else { throw error }
  }

  func run(all values: [Value]) throws(StoreError) {
    defer { reset() }
    bind(values)
    while try step() {}
  }

  /// All rows, each read by `row` while it lasts.
  func rows<T>(_ values: Value..., row: (borrowing Row) -> T) throws(StoreError) -> [T] {
    defer { reset() }
    bind(values)
    var result: [T] = []
    while try step() { result.append(row(Row(handle: handle))) }
    return result
  }

  func first<T>(_ values: Value..., row: (borrowing Row) -> T) throws(StoreError) -> T? {
    try first(all: values, row: row)
  }

  func first<T>(all values: [Value], row: (borrowing Row) -> T) throws(StoreError) -> T? {
    defer { reset() }
    bind(values)
    return try step() ? row(Row(handle: handle)) : nil
  }

  private func bind(_ values: [Value]) {
    for (index, value) in values.enumerated() { bind(Int32(index + 1), value) }
  }

  func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }
  func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

  func bind(_ index: Int32, _ value: Value) {
    switch value {
    case .null: sqlite3_bind_null(handle, index)
    case .integer(let number): sqlite3_bind_int64(handle, index, number)
    case .real(let number): sqlite3_bind_double(handle, index, number)
    case .text(var text):
      // By its length: up to a NUL, two texts could be one to SQLite and two to us.
      text.withUTF8 { bytes in
        let start = UnsafeRawPointer(bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped)
        _ = sqlite3_bind_text64(
          handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), transient, UInt8(SQLITE_UTF8))
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes {
        _ = sqlite3_bind_blob64(
          handle, index, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), UInt64($0.count), transient)
      }
    }
  }

  /// The current row, until the next step.
  var row: Row { Row(handle: handle) }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
}

/// What a statement can be given.
enum Value {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  static func optional(_ text: String?) -> Value { text.map(Value.text) ?? .null }
  static func optional(_ number: Int64?) -> Value { number.map(Value.integer) ?? .null }
}

/// The current row of a statement; it cannot be kept past the closure that receives it.
struct Row: ~Copyable {
  fileprivate let handle: OpaquePointer

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  func text(_ column: Int32) -> String { columnText(handle, column) }
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
  func blob(_ column: Int32) -> [UInt8] { withBlob(column) { Array($0) } }

  /// The bytes where SQLite holds them, for as long as `body` runs.
  func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> T) -> T {
    body(
      UnsafeRawBufferPointer(
        start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column))))
  }
}

/// Empty where the column is NULL.
private func columnText(_ handle: OpaquePointer, _ column: Int32) -> String {
  guard let start = sqlite3_column_text(handle, column) else { return "" }
  let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  return String(decoding: bytes, as: UTF8.self)
}

/// Tells SQLite to copy what it is given.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
