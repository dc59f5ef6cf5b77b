/// Small numbers as bits, one after another, each in as many as the largest needs.
///
///     count (4)  bits of a number (1)  numbers, the lowest bits of a byte first
enum BitColumn {
  private static let head = 5

  static func pack(_ numbers: [UInt32]) -> [UInt8] {
    let width = 32 - (numbers.max() ?? 0).leadingZeroBitCount
    // Whole words are written: of the last ones a part lies behind the bytes.
    var bytes = [UInt8](repeating: 0, count: head + (numbers.count * width + 7) / 8 + 8)
    bytes.withUnsafeMutableBytes { room in
      room.storeBytes(of: UInt32(numbers.count).littleEndian, as: UInt32.self)
      room[4] = UInt8(width)
      for (index, number) in numbers.enumerated() where width > 0 {
        let (byte, shift) = (head + index * width / 8, UInt64(index * width % 8))
        let word = UInt64(littleEndian: room.loadUnaligned(fromByteOffset: byte, as: UInt64.self))
        room.storeBytes(of: (word | UInt64(number) << shift).littleEndian, toByteOffset: byte, as: UInt64.self)
      }
    }
    return bytes.dropLast(8)
  }

  /// Whether the bytes are as many as their head says.
  static func isWhole(_ bytes: ArraySlice<UInt8>) -> Bool { extent(bytes) != nil }

  /// Adds the numbers; false where the bytes are no such column.
  static func unpack(_ bytes: ArraySlice<UInt8>, into numbers: inout [UInt32]) -> Bool {
    guard let (count, width) = extent(bytes) else { return false }
    numbers.reserveCapacity(numbers.count + count)
    let mask = (UInt64(1) << UInt64(width)) - 1
    (Array(bytes) + repeatElement(0, count: 8)).withUnsafeBytes { room in
      for index in 0..<count {
        let (byte, shift) = (head + index * width / 8, UInt64(index * width % 8))
        let word = UInt64(littleEndian: room.loadUnaligned(fromByteOffset: byte, as: UInt64.self))
        numbers.append(UInt32(truncatingIfNeeded: word >> shift & mask))
      }
    }
    return true
  }

  private static func extent(_ bytes: ArraySlice<UInt8>) -> (count: Int, width: Int)? {
    guard bytes.count >= head else { return nil }
    let count = bytes.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
    let width = Int(bytes[bytes.startIndex + 4])
    return width <= 32 && bytes.count == head + (count * width + 7) / 8 ? (count, width) : nil
  }
}
