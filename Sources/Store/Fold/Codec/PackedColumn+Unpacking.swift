extension PackedColumn {
  static func unpack(_ bytes: UnsafeRawBufferPointer) -> [Int64] {
    if bytes.first == 0 { return Dense(bytes, at: 1).values }
    var values: [Int64] = []
    unpack(bytes, into: &values)
    return values
  }

  /// The numbers at some places up to the first one that is not asked for; of a dense column those after it are not looked at.
  static func leading(
    _ bytes: UnsafeRawBufferPointer, _ places: Range<Int>, where isWanted: (Int64) -> Bool
  ) -> [Int64] {
    guard bytes.first == 0 else { return Array(unpack(bytes)[places].prefix(while: isWanted)) }
    let column = Dense(bytes, at: 1)
    precondition(places.upperBound <= column.count, "no such number in the column")
    return Array(places.lazy.map { column[$0] }.prefix(while: isWanted))
  }

  /// How many numbers a column has; nil where the bytes are none. Of a sparse column it reads the places, else the head.
  static func count(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.first == 1 else {
      return bytes.first == 0 && Dense.end(bytes, at: 1) == bytes.count ? denseCount(bytes, 1) : nil
    }
    guard bytes.count >= 5, let end = Dense.end(bytes, at: 5), Dense.end(bytes, at: end) == bytes.count else {
      return nil
    }
    let (count, places) = (denseCount(bytes, 1), Dense(bytes, at: 5))
    guard places.count == denseCount(bytes, end) else { return nil }
    var last: Int64 = -1
    for index in 0..<places.count {
      guard places[index] > last, places[index] < count else { return nil }
      last = places[index]
    }
    return count
  }

  private static func denseCount(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    Int(read(bytes, at: offset, width: 4))
  }

  /// In place of what the array held, whose room is used again: who goes from shard to shard asks for no memory.
  static func unpack(_ bytes: UnsafeRawBufferPointer, into values: inout [Int64]) {
    unpack(bytes, into: &values) { $0 }
  }

  /// Likewise, and each number made into something else.
  @inline(__always)
  static func unpack<T>(_ bytes: UnsafeRawBufferPointer, into values: inout [T], _ make: (Int64) -> T) {
    guard let form = bytes.first else { return values.removeAll(keepingCapacity: true) }
    if form == 0 {
      let column = Dense(bytes, at: 1)
      resize(&values, to: column.count, make(absent))
      values.withUnsafeMutableBufferPointer { column.read(into: $0, make) }
      return
    }
    values.removeAll(keepingCapacity: true)
    resize(&values, to: Int(read(bytes, at: 1, width: 4)), make(absent))
    let places = Dense(bytes, at: 5)
    let present = Dense(bytes, at: places.end)
    for index in 0..<places.count { values[Int(places[index])] = make(present[index]) }
  }

  /// Where each list begins, and one more at the end, from how long they are.
  static func unpack(lengths bytes: UnsafeRawBufferPointer, into offsets: inout [Int]) {
    unpack(bytes, into: &offsets) { Int($0) }
    var total = 0
    offsets.withUnsafeMutableBufferPointer { offsets in
      for index in offsets.indices { (offsets[index], total) = (total, total + offsets[index]) }
    }
    offsets.append(total)
  }

  /// As many elements as are about to be written over; what was held is of no use, so it is not moved to greater memory.
  @inline(__always)
  private static func resize<T>(_ values: inout [T], to count: Int, _ empty: T) {
    if values.count > count { values.removeLast(values.count - count) }
    guard values.count < count else { return }
    if values.capacity < count {
      values = []
      // Shards have nearly as many devices as each other.
      values.reserveCapacity(count + count / 16)
    }
    values.append(contentsOf: repeatElement(empty, count: count - values.count))
  }

  /// Numbers of one width, as they lie in a column's bytes.
  struct Dense {
    let bytes: UnsafeRawBufferPointer
    let count: Int
    /// Where the first lies.
    let start: Int
    let base: Int64
    /// Bytes a number.
    let width: Int
    /// All ones: what stands for "absent".
    let missing: UInt64

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
      self.bytes = bytes
      count = Int(PackedColumn.read(bytes, at: offset, width: 4))
      base = Int64(bitPattern: PackedColumn.read(bytes, at: offset + 4, width: 8))
      width = Int(bytes[offset + 12])
      start = offset + 13
      missing = width == 8 ? UInt64.max : (1 << UInt64(width * 8)) - 1
    }

    var end: Int { start + count * width }

    /// In new memory, which is written once.
    var values: [Int64] {
      [Int64](unsafeUninitializedCapacity: count) { room, filled in
        read(into: UnsafeMutableBufferPointer(rebasing: room[..<count])) { $0 }
        filled = count
      }
    }

    /// Where numbers that begin at a place end; nil where that is not within the bytes.
    static func end(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
      guard offset + 13 <= bytes.count, 1...8 ~= bytes[offset + 12] else { return nil }
      let end = Dense(bytes, at: offset).end
      return end <= bytes.count ? end : nil
    }

    @inline(__always)
    subscript(_ index: Int) -> Int64 {
      let word = word(at: start + index * width)
      return word == missing ? absent : base &+ Int64(bitPattern: word)
    }

    /// Read at once unless that would leave the bytes.
    @inline(__always)
    private func word(at offset: Int) -> UInt64 {
      guard offset + 8 <= bytes.count else { return PackedColumn.read(bytes, at: offset, width: width) }
      return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) & missing
    }

    /// How many of the numbers a whole word can be read at without leaving the bytes.
    private var wholeWords: Int {
      let spare = bytes.count - start - 8
      return spare < 0 ? 0 : min(count, spare / width + 1)
    }

    @inline(__always)
    func read<T>(into values: UnsafeMutableBufferPointer<T>, _ make: (Int64) -> T) {
      precondition(end <= bytes.count && values.count == count, "a column lies within its bytes")
      switch width {
      case 1: read(UInt8.self, into: values, make)
      case 2: read(UInt16.self, into: values, make)
      case 4: read(UInt32.self, into: values, make)
      default: readMasked(into: values, make)
      }
    }

    /// Several numbers at once, where a processor can.
    @inline(__always)
    private func read<Word: FixedWidthInteger & UnsignedInteger, T>(
      _: Word.Type, into values: UnsafeMutableBufferPointer<T>, _ make: (Int64) -> T
    ) {
      for index in 0..<count {
        let offset = start &+ index &* MemoryLayout<Word>.size
        let word = Word(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Word.self))
        values[index] = make(word == .max ? absent : base &+ Int64(word))
      }
    }

    @inline(__always)
    private func readMasked<T>(into values: UnsafeMutableBufferPointer<T>, _ make: (Int64) -> T) {
      let whole = wholeWords
      var offset = start
      for index in 0..<whole {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) & missing
        values[index] = make(word == missing ? absent : base &+ Int64(bitPattern: word))
        offset &+= width
      }
      for index in whole..<count { values[index] = make(self[index]) }
    }
  }

  static func read(_ bytes: UnsafeRawBufferPointer, at offset: Int, width: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in (0..<width).reversed() { value = value << 8 | UInt64(bytes[offset + index]) }
    return value
  }
}
