import CSQLite

/// The values of one row of a `SELECT take_row(…)`, for as long as the call lasts that shows it.
struct RowValues {
  fileprivate let values: UnsafeMutablePointer<OpaquePointer?>

  func integer(_ column: Int) -> Int64 { sqlite3_value_int64(values[column + 1]) }
  func isNull(_ column: Int) -> Bool { sqlite3_value_type(values[column + 1]) == SQLITE_NULL }
}

/// Is called with every row of a statement from within SQLite's own loop.
///
/// `SELECT take_row(?1, a, b, …) FROM …`, the taker bound to the first place, calls once a row; stepping from row to row
/// calls once a row and once for each of its columns, which for the rows of the event table costs as much again.
final class RowTaker {
  private let take: (RowValues) -> Void

  private init(_ take: @escaping (RowValues) -> Void) { self.take = take }

  /// What a bound pointer must be called to be taken for a taker: no SQL can make one up.
  fileprivate static var kind: UnsafePointer<CChar> {
    let kind: StaticString = "uptake.rows"
    return UnsafeRawPointer(kind.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// Makes `take_row` known to a connection.
  static func register(_ connection: OpaquePointer) {
    let step: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = { _, _, values in
      guard let values, let taker = sqlite3_value_pointer(values[0], RowTaker.kind) else { return }
      Unmanaged<RowTaker>.fromOpaque(taker)._withUnsafeGuaranteedRef { $0.take(RowValues(values: values)) }
    }
    sqlite3_create_function_v2(
      connection, "take_row", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil, nil, step, { sqlite3_result_null($0) }, nil)
  }

  /// Calls `take` with every row of a statement that selects `take_row(?1, …)`.
  static func run(_ statement: borrowing Statement, _ take: (RowValues) -> Void) throws(StoreError) {
    try withoutActuallyEscaping(take) { take throws(StoreError) in
      let taker = RowTaker(take)
      sqlite3_bind_pointer(statement.handle, 1, Unmanaged.passUnretained(taker).toOpaque(), Self.kind, nil)
      defer { statement.reset() }
      try withExtendedLifetime(taker) { () throws(StoreError) in while try statement.step() {} }
    }
  }
}
