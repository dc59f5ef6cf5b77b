extension PlainColumn {
  /// The packed column; nil where the blocks are not what the head says.
  func spread(_ stored: [UInt8]) -> [UInt8]? {
    // Every 128 values take two bytes at least: a count that is made up takes no memory.
    guard stored.count >= count / SqueezedColumn.block * (1 + width) + SqueezedColumn.head else { return nil }
    let packed = [UInt8](unsafeUninitializedCapacity: bytes + SqueezedColumn.padding) { plain, size in
      guard let start = plain.baseAddress.map(UnsafeMutableRawPointer.init) else { return }
      stored.withUnsafeBytes { squeezed in
        start.copyMemory(from: squeezed.baseAddress.unsafelyUnwrapped, byteCount: SqueezedColumn.head)
        start.storeBytes(of: 0, as: UInt8.self)
        if read(squeezed, into: start) { size = bytes }
      }
    }
    return packed.isEmpty ? nil : packed
  }

  private func read(_ squeezed: UnsafeRawBufferPointer, into plain: UnsafeMutableRawPointer) -> Bool {
    var (at, first) = (SqueezedColumn.head, 0)
    while first < count {
      let places = first..<min(first + SqueezedColumn.block, count)
      guard at + 1 + width + SqueezedColumn.padding <= squeezed.count else { return false }
      let way = squeezed[at]
      let bits = Int(way & (SqueezedColumn.steps - 1))
      let end = at + 1 + width + (places.count * bits + 7) >> 3
      guard way < 2 * SqueezedColumn.steps, bits <= SqueezedColumn.mostBits,
        end + SqueezedColumn.padding <= squeezed.count
      else { return false }
      let start = squeezed.loadUnaligned(fromByteOffset: at + 1, as: UInt64.self) & mask
      let values = Block(start: start, bits: bits, bit: (at + 1 + width) * 8, isSteps: way >= SqueezedColumn.steps)
      values.read(squeezed, places, width, into: plain)
      (at, first) = (end, places.upperBound)
    }
    return true
  }

  private struct Block {
    let start: UInt64
    let bits: Int
    let bit: Int
    let isSteps: Bool

    /// A value is written by eight bytes; what is beyond it, the next one covers.
    func read(
      _ squeezed: UnsafeRawBufferPointer, _ places: Range<Int>, _ width: Int, into plain: UnsafeMutableRawPointer
    ) {
      var (bit, before, offset) = (bit, start, SqueezedColumn.head + places.lowerBound * width)
      let ones: UInt64 = 1 << UInt64(bits) - 1
      for _ in places {
        let word = squeezed.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
        let value = before &+ (word >> UInt64(bit & 7) & ones)
        plain.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
        if isSteps { before = value }
        bit += bits
        offset += width
      }
    }
  }
}
