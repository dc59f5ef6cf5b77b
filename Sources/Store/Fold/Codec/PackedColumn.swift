/// A column of numbers as bytes: each as its distance from the smallest, in as few whole bytes as the largest needs.
///
/// `Int64.max` stands for "absent". A column that is mostly absent keeps the places of the present ones instead.
///
///     form (1)  0 = dense, 1 = sparse
///     dense:    count (4)  base (8)  width (1)  count × width bytes, all ones where absent
///     sparse:   count (4)  then two dense columns: places, values
enum PackedColumn {
  static let absent = Int64.max

  static func pack(_ values: [Int64]) -> [UInt8] { pack(values) { $0 } }

  /// The lengths of lists, from where they begin; `offsets` has one more at the end.
  static func pack(lengthsOf offsets: [Int]) -> [UInt8] {
    offsets.withUnsafeBufferPointer { offsets in
      pack(count: offsets.count - 1) { Int64(offsets[$0 + 1] - offsets[$0]) }
    }
  }

  /// - Parameter number: asked twice of each element.
  @inline(__always)
  static func pack<T>(_ elements: [T], _ number: (T) -> Int64) -> [UInt8] {
    elements.withUnsafeBufferPointer { elements in pack(count: elements.count) { number(elements[$0]) } }
  }

  @inline(__always)
  private static func pack(count: Int, _ number: (Int) -> Int64) -> [UInt8] {
    let extent = Extent(count, number)
    guard extent.present * 2 < count else {
      return [UInt8](unsafeUninitializedCapacity: 1 + Extent.head + count * extent.width + 8) { room, filled in
        room[0] = 0
        filled = extent.write(count, number, to: UnsafeMutableRawBufferPointer(room), at: 1)
      }
    }
    return packSparse((0..<count).filter { number($0) != absent }.map { (Int64($0), number($0)) }, count)
  }

  private static func packSparse(_ present: [(place: Int64, value: Int64)], _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = [1]
    withUnsafeBytes(of: UInt32(count).littleEndian) { bytes += $0 }
    bytes += pack(present) { $0.place }.dropFirst()
    bytes += pack(present) { $0.value }.dropFirst()
    return bytes
  }

  /// Between which numbers those of a column lie.
  private struct Extent {
    static let head = 13
    private(set) var present = 0
    let base: Int64
    /// Bytes a number.
    let width: Int

    @inline(__always)
    init(_ count: Int, _ number: (Int) -> Int64) {
      var (low, high) = (absent, Int64.min)
      for index in 0..<count {
        let value = number(index)
        low = min(low, value)
        high = max(high, value == absent ? .min : value)
        present += value == absent ? 0 : 1
      }
      base = high == .min ? 0 : low
      width = high == .min ? 1 : Self.width(of: UInt64(bitPattern: high &- low))
    }

    /// Bytes enough that all ones stay free to mean "absent".
    private static func width(of range: UInt64) -> Int {
      var width = 1
      while width < 8, range >= (1 << UInt64(width * 8)) - 1 { width += 1 }
      return width
    }

    /// Whole words, each over the spare bytes of the one before: `room` has eight bytes more than are filled.
    @inline(__always)
    func write(
      _ count: Int, _ number: (Int) -> Int64, to room: UnsafeMutableRawBufferPointer, at start: Int
    ) -> Int {
      room.storeBytes(of: UInt32(count).littleEndian, toByteOffset: start, as: UInt32.self)
      room.storeBytes(of: base.littleEndian, toByteOffset: start + 4, as: Int64.self)
      room[start + 12] = UInt8(width)
      var end = start + Self.head
      for index in 0..<count {
        let value = number(index)
        let word = value == absent ? UInt64.max : UInt64(bitPattern: value &- base)
        room.storeBytes(of: word.littleEndian, toByteOffset: end, as: UInt64.self)
        end += width
      }
      return end
    }
  }
}
