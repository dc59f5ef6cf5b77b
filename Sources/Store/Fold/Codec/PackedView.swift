/// A packed column read where it lies, a number at a time: for questions that look at few of them, or at each once.
struct PackedView {
  let count: Int
  /// With a word to spare after the column, so that every number is read as a whole word.
  private let bytes: [UInt8]
  private let start: Int
  private let width: Int
  private let missing: UInt64
  private let base: Int64

  /// - Parameter packed: a column; `PackedParts.check` sees to it as a shard is opened, and what is none all the same has
  ///   no numbers.
  init(_ packed: [UInt8]) {
    self.init(packed + repeatElement(0, count: Self.spare), packed.indices)
  }

  /// How many bytes must follow a column.
  static let spare = 8

  /// A column among other bytes, which are not copied.
  init(_ bytes: [UInt8], _ range: Range<Int>) {
    precondition(range.upperBound + Self.spare <= bytes.count, "no word to spare after the column")
    if !range.isEmpty, bytes[range.lowerBound] == 1 {
      self.init(values: bytes.withUnsafeBytes { PackedColumn.unpack(UnsafeRawBufferPointer(rebasing: $0[range])) })
    } else {
      self.init(dense: bytes, range)
    }
  }

  private init(dense bytes: [UInt8], _ range: Range<Int>) {
    func number(_ offset: Int, width: Int) -> UInt64 {
      offset + width > range.count
        ? 0 : (0..<width).reversed().reduce(0) { $0 << 8 | UInt64(bytes[range.lowerBound + offset + $1]) }
    }
    (start, width) = (range.lowerBound + 14, Int(number(13, width: 1)))
    base = Int64(bitPattern: number(5, width: 8))
    missing = width == 8 ? .max : (1 << UInt64(width * 8)) - 1
    let stated = Int(number(1, width: 4))
    count = 1...8 ~= width && range.upperBound >= start + stated * width ? stated : 0
    self.bytes = bytes
  }

  init(values: [Int64]) {
    (count, start, width, missing, base) = (values.count, 0, 8, .max, .min)
    bytes = values.map { UInt64(bitPattern: $0 &- .min).littleEndian }.withUnsafeBytes(Array.init)
  }

  subscript(index: Int) -> Int64 {
    precondition(index >= 0 && index < count, "no such number in the column")
    let word = bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start + index * width, as: UInt64.self)) & missing
    }
    return word == missing ? PackedColumn.absent : base &+ Int64(bitPattern: word)
  }

  /// Each number in turn; cheaper than by index.
  @inline(__always)
  func each(_ body: (Int64) -> Void) {
    bytes.withUnsafeBytes { bytes in
      var offset = start
      for _ in 0..<count {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) & missing
        body(word == missing ? PackedColumn.absent : base &+ Int64(bitPattern: word))
        offset += width
      }
    }
  }
}
