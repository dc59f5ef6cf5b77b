/// A column of numbers as bytes: each as its distance from the smallest, in as few whole bytes as the largest needs.
///
/// `Int64.max` stands for "absent". A column that is mostly absent keeps the places of the present ones instead.
///
///     form (1)  0 = dense, 1 = sparse
///     dense:    count (4)  base (8)  width (1)  count × width bytes, all ones where absent
///     sparse:   count (4)  then two dense columns: places, values
enum PackedColumn {
  static let absent = Int64.max

  static func pack(_ values: [Int64]) -> [UInt8] {
    let present = values.reduce(0) { $0 + ($1 == absent ? 0 : 1) }
    var bytes: [UInt8] = []
    if present * 2 >= values.count {
      bytes.append(0)
      appendDense(values, to: &bytes)
      return bytes
    }
    bytes.append(1)
    append(UInt64(values.count), width: 4, to: &bytes)
    let places = values.indices.filter { values[$0] != absent }
    appendDense(places.map(Int64.init), to: &bytes)
    appendDense(places.map { values[$0] }, to: &bytes)
    return bytes
  }

  static func unpack(_ bytes: UnsafeRawBufferPointer) -> [Int64] {
    var values: [Int64] = []
    unpack(bytes, into: &values)
    return values
  }

  private static func appendDense(_ values: [Int64], to bytes: inout [UInt8]) {
    var (low, high) = (absent, Int64.min)
    for value in values where value != absent {
      low = min(low, value)
      high = max(high, value)
    }
    let base = high == .min ? 0 : low
    let width = high == .min ? 1 : widthOf(UInt64(bitPattern: high &- low))
    append(UInt64(values.count), width: 4, to: &bytes)
    append(UInt64(bitPattern: base), width: 8, to: &bytes)
    bytes.append(UInt8(width))
    // Whole words, each over the spare bytes of the one before; the last one's spare bytes go again.
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: values.count * width + 8))
    bytes.withUnsafeMutableBytes { room in
      for (index, value) in values.enumerated() {
        let word = value == absent ? UInt64.max : UInt64(bitPattern: value &- base)
        room.storeBytes(of: word.littleEndian, toByteOffset: start + index * width, as: UInt64.self)
      }
    }
    bytes.removeLast(8)
  }

  /// Bytes enough that all ones stay free to mean "absent".
  private static func widthOf(_ range: UInt64) -> Int {
    var width = 1
    while width < 8, range >= (1 << UInt64(width * 8)) - 1 { width += 1 }
    return width
  }

  private static func append(_ value: UInt64, width: Int, to bytes: inout [UInt8]) {
    var rest = value
    for _ in 0..<width {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}
