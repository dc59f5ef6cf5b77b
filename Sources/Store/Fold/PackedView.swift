/// A packed column read where it lies, a number at a time: for questions that look at few of them, or at each once.
struct PackedView {
  let count: Int
  /// With a word to spare at the end, so that every number is read as a whole word.
  private let bytes: [UInt8]
  private let start: Int
  private let width: Int
  private let missing: UInt64
  private let base: Int64

  /// - Parameter packed: nil, and all that is no column, is a column without numbers.
  init(_ packed: [UInt8]?) {
    let packed = packed ?? []
    if packed.first == 1 {
      self.init(values: packed.withUnsafeBytes { PackedColumn.unpack($0) })
    } else {
      self.init(dense: packed)
    }
  }

  private init(dense packed: [UInt8]) {
    func number(_ range: Range<Int>) -> UInt64 {
      range.upperBound > packed.count ? 0 : range.reversed().reduce(0) { $0 << 8 | UInt64(packed[$1]) }
    }
    (start, width) = (14, Int(number(13..<14)))
    base = Int64(bitPattern: number(5..<13))
    missing = width == 8 ? .max : (1 << UInt64(width * 8)) - 1
    let stated = Int(number(1..<5))
    count = 1...8 ~= width && packed.count >= start + stated * width ? stated : 0
    bytes = packed + repeatElement(0, count: 8)
  }

  init(values: [Int64]) {
    (count, start, width, missing, base) = (values.count, 0, 8, .max, .min)
    bytes = values.flatMap { value in
      withUnsafeBytes(of: UInt64(bitPattern: value &- .min).littleEndian, Array.init)
    }
  }

  subscript(index: Int) -> Int64 {
    precondition(index >= 0 && index < count, "no such number in the column")
    let word = bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start + index * width, as: UInt64.self)) & missing
    }
    return word == missing ? PackedColumn.absent : base &+ Int64(bitPattern: word)
  }
}
