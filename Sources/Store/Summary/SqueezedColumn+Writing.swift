extension PlainColumn {
  /// Empty where a block needs more bits than can be written.
  func squeezed(_ packed: [UInt8]) -> [UInt8] {
    let blocks = (count + SqueezedColumn.block - 1) / SqueezedColumn.block
    let room = SqueezedColumn.head + blocks * (1 + width) + count * 8 + SqueezedColumn.padding
    // A value is read, and written, by eight bytes.
    let padded = packed + [UInt8](repeating: 0, count: SqueezedColumn.padding)
    return [UInt8](unsafeUninitializedCapacity: room) { bytes, size in
      guard let start = bytes.baseAddress.map(UnsafeMutableRawPointer.init) else { return }
      start.initializeMemory(as: UInt8.self, repeating: 0, count: room)
      padded.withUnsafeBytes { plain in
        start.copyMemory(from: plain.baseAddress.unsafelyUnwrapped, byteCount: SqueezedColumn.head)
        start.storeBytes(of: SqueezedColumn.form, as: UInt8.self)
        size = written(plain, start) ?? 0
      }
    }
  }

  /// How many bytes; nil as above.
  private func written(_ plain: UnsafeRawBufferPointer, _ start: UnsafeMutableRawPointer) -> Int? {
    var end = SqueezedColumn.head
    for first in stride(from: 0, to: count, by: SqueezedColumn.block) {
      let places = first..<min(first + SqueezedColumn.block, count)
      let shape = BlockShape(places.lazy.map { value(plain, $0) })
      guard shape.bits <= SqueezedColumn.mostBits else { return nil }
      start.storeBytes(
        of: UInt8(shape.bits) + (shape.isSteps ? SqueezedColumn.steps : 0), toByteOffset: end, as: UInt8.self)
      start.storeBytes(of: shape.start, toByteOffset: end + 1, as: UInt64.self)
      var (bit, before) = ((end + 1 + width) * 8, shape.start)
      // What the start's eight bytes have beyond its width is zero.
      for place in places {
        let value = value(plain, place)
        let number = value &- before
        if shape.isSteps { before = value }
        let word = start.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self) | number << UInt64(bit & 7)
        start.storeBytes(of: word, toByteOffset: bit >> 3, as: UInt64.self)
        bit += shape.bits
      }
      end = (bit + 7) >> 3
    }
    return end + SqueezedColumn.padding
  }

  private func value(_ plain: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    plain.loadUnaligned(fromByteOffset: SqueezedColumn.head + place * width, as: UInt64.self) & mask
  }
}

/// In which way the values of a block take the fewest bits.
private struct BlockShape {
  let start: UInt64
  let bits: Int
  let isSteps: Bool

  init(_ values: some Sequence<UInt64>) {
    var (first, before, least, most, longest, isSorted) = (
      UInt64?.none, UInt64(0), UInt64.max, UInt64(0), UInt64(0), true
    )
    for value in values {
      if first == nil { (first, before) = (value, value) }
      (least, most) = (min(least, value), max(most, value))
      if value >= before { longest = max(longest, value - before) } else { isSorted = false }
      before = value
    }
    let (inSteps, above) = (Self.bits(longest), Self.bits(most &- least))
    isSteps = isSorted && inSteps < above
    (start, bits) = isSteps ? (first ?? 0, inSteps) : (least, above)
  }

  private static func bits(_ number: UInt64) -> Int { 64 - number.leadingZeroBitCount }
}
