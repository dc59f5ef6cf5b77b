import Store

/// Rows as ClickHouse's RowBinary: numbers little-endian, one after another; texts with their length before them.
struct RowWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var rows = 0

  mutating func endRow() { rows += 1 }

  mutating func add(_ number: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func add(_ text: String) {
    addLength(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func add(_ number: Double) { add(number.bitPattern) }

  mutating func add(_ nested: [UInt8]) {
    addLength(nested.count)
    bytes.append(contentsOf: nested)
  }

  private mutating func addLength(_ count: Int) {
    var rest = UInt64(count)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Reads such rows; what breaks off is an error of the warehouse.
struct RowReader {
  private let bytes: [UInt8]
  private let place: String
  private var next = 0

  init(_ bytes: [UInt8], _ place: String) { (self.bytes, self.place) = (bytes, place) }

  var isAtEnd: Bool { next == bytes.count }
  var count: Int { bytes.count }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(StoreError) -> Number {
    let size = MemoryLayout<Number>.size
    guard bytes.count - next >= size else { throw broken }
    defer { next += size }
    return unsafe bytes.withUnsafeBytes {
      unsafe Number(littleEndian: $0.loadUnaligned(fromByteOffset: next, as: Number.self))
    }
  }

  mutating func real() throws(StoreError) -> Double { Double(bitPattern: try number(UInt64.self)) }

  mutating func text() throws(StoreError) -> String { String(decoding: try nested(), as: UTF8.self) }

  mutating func nested() throws(StoreError) -> ArraySlice<UInt8> {
    let length = try length()
    guard bytes.count - next >= length else { throw broken }
    defer { next += length }
    return bytes[next..<next + length]
  }

  private mutating func length() throws(StoreError) -> Int {
    var (value, shift) = (UInt64(0), UInt64(0))
    while shift < 63 {
      let byte = try number(UInt8.self)
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return Int(value) }
      shift += 7
    }
    throw broken
  }

  private var broken: StoreError {
    StoreError(
      RemoteProblem(
        .failed, "warehouse_broken_answer", "\(place): an answer ends amid a row",
        "ask again; where it stays so, check that the address is ClickHouse's HTTP interface"), at: place)
  }
}
