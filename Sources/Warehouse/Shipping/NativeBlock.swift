/// Rows as a block of ClickHouse's `Native` format: column after column, numbers little-endian.
///
/// Of a column that hardly changes a compressor makes nearly nothing, and the server takes whole columns where it would have to
/// take apart each row. Ends amid a block are errors there.
struct NativeBlock {
  private(set) var bytes: [UInt8] = []
  let rows: Int

  /// - Parameter width: bytes of a row, so that nothing is moved as columns are added.
  init(columns: Int, rows: Int, width: Int) {
    self.rows = rows
    bytes.reserveCapacity(rows * width + columns * 32)
    addLength(columns)
    addLength(rows)
  }

  /// - Parameter number: of a row, asked once.
  @inline(__always)
  mutating func add<Number: FixedWidthInteger>(_ name: String, _ number: (Int) -> Number) {
    add(name)
    add("\(Number.self)")
    let column = unsafe [Number](unsafeUninitializedCapacity: rows) { room, filled in
      for row in 0..<rows { unsafe room.initializeElement(at: row, to: number(row).littleEndian) }
      filled = rows
    }
    unsafe column.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func add(_ text: String) {
    addLength(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func addLength(_ count: Int) {
    var rest = count
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
