/// A packed column read where it lies, a number at a time: for questions that look at few of them, or at each once.
public struct PackedView: Sendable {
  public let count: Int
  /// Of the first number. Plain, so that reading counts no references.
  @usableFromInline nonisolated(unsafe) let start: UnsafeRawPointer
  @usableFromInline let width: Int
  @usableFromInline let missing: UInt64
  @usableFromInline let base: Int64
  /// Keeps the numbers where they are.
  private let bytes: PackedBytes

  /// - Parameter packed: a column; `PackedParts.check` sees to it as a shard is opened, and what is none all the same has
  ///   no numbers.
  init(_ packed: [UInt8]) {
    let bytes = packed.withUnsafeBytes { PackedBytes($0) }
    self.init(bytes, 0..<bytes.count)
  }

  /// A column among other bytes, which are not copied.
  init(_ bytes: PackedBytes, _ range: Range<Int>) {
    let column = bytes[range]
    if column.first == 0, PackedColumn.Dense.end(column, at: 1) == column.count {
      self.init(bytes, range.lowerBound, PackedColumn.Dense(column, at: 1))
    } else {
      self.init(values: PackedColumn.count(column) == nil ? [] : PackedColumn.unpack(column))
    }
  }

  private init(_ bytes: PackedBytes, _ offset: Int, _ column: PackedColumn.Dense) {
    (count, width, missing, base) = (column.count, column.width, column.missing, column.base)
    start = UnsafeRawPointer(bytes.start) + offset + column.start
    self.bytes = bytes
  }

  init(values: [Int64]) { self.init(count: values.count) { values[$0] } }

  /// Numbers of elsewhere, each asked for once and in order.
  @inline(__always)
  init(count: Int, _ number: (Int) -> Int64) {
    let length = MemoryLayout<UInt64>.size
    let bytes = PackedBytes(capacity: count * length)
    bytes.append(count: count * length) { room in
      for index in 0..<count {
        let word = UInt64(bitPattern: number(index) &- .min).littleEndian
        room.storeBytes(of: word, toByteOffset: index * length, as: UInt64.self)
      }
    }
    (self.count, width, missing, base) = (count, length, .max, .min)
    start = UnsafeRawPointer(bytes.start)
    self.bytes = bytes
  }

  @inlinable @inline(__always)
  public subscript(index: Int) -> Int64 {
    precondition(index >= 0 && index < count, "no such number in the column")
    return number(at: index * width)
  }

  /// Each number in turn; cheaper than by index.
  @inline(__always)
  func each(_ body: (Int64) -> Void) {
    var offset = 0
    for _ in 0..<count {
      body(number(at: offset))
      offset += width
    }
  }

  @inlinable @inline(__always)
  func number(at offset: Int) -> Int64 {
    let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) & missing
    return word == missing ? .max : base &+ Int64(bitPattern: word)
  }
}
