import CZlib

/// A column of numbers in an archive: each as few bytes as the largest needs, first all lowest bytes, then all next ones,
/// deflated. Bytes of one weight are alike, so they deflate well where numbers do not.
///
///     width (1)  count (4)  deflated length (4)  deflated planes
enum ArchiveColumn {
  static func append(_ values: [UInt64], to bytes: inout [UInt8]) throws(StoreError) {
    let greatest = values.max() ?? 0
    let width = (UInt64.bitWidth - greatest.leadingZeroBitCount + 7) / 8
    var planes = [UInt8](repeating: 0, count: width * values.count)
    for plane in 0..<width {
      let start = plane * values.count
      for (index, value) in values.enumerated() {
        planes[start + index] = UInt8(truncatingIfNeeded: value >> UInt64(plane * 8))
      }
    }
    let deflated = try Deflated.pack(planes)
    bytes.append(UInt8(width))
    ArchiveBytes.append(UInt64(values.count), width: 4, to: &bytes)
    ArchiveBytes.append(UInt64(deflated.count), width: 4, to: &bytes)
    bytes += deflated
  }

  static func read(_ reader: inout ArchiveBytes) throws(DamagedArchive) -> [UInt64] {
    let (width, count, length) = (
      Int(try reader.number(width: 1)), Int(try reader.number(width: 4)), Int(try reader.number(width: 4))
    )
    guard width <= 8, count <= ArchivedEvents.most else { throw DamagedArchive("a column is too large") }
    let planes = try Deflated.unpack(try reader.take(length), count: width * count)
    var values = [UInt64](repeating: 0, count: count)
    for plane in 0..<width {
      for index in 0..<count { values[index] |= UInt64(planes[plane * count + index]) << UInt64(plane * 8) }
    }
    return values
  }
}

/// Signed and absent numbers as unsigned ones that stay small: absent is 0.
enum Folded64 {
  static func fold(_ value: Int64) -> UInt64 { value == EventRow.none ? 0 : zigzag(value) &+ 1 }
  static func unfold(_ value: UInt64) -> Int64 { value == 0 ? EventRow.none : signed(value &- 1) }
  static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }
  static func signed(_ value: UInt64) -> Int64 { Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
}

/// zlib in one call each way.
private enum Deflated {
  static func pack(_ plain: [UInt8]) throws(StoreError) -> [UInt8] {
    var size = compressBound(UInt(plain.count))
    var packed = [UInt8](repeating: 0, count: Int(size))
    guard compress2(&packed, &size, plain, UInt(plain.count), 6) == Z_OK else {
      throw StoreError(.inputOutput, path: "zlib", reason: "no memory to deflate \(plain.count) bytes")
    }
    return Array(packed[..<Int(size)])
  }

  static func unpack(_ packed: ArraySlice<UInt8>, count: Int) throws(DamagedArchive) -> [UInt8] {
    var plain = [UInt8](repeating: 0, count: max(count, 1))
    var size = UInt(plain.count)
    let code = packed.withUnsafeBufferPointer { uncompress(&plain, &size, $0.baseAddress, UInt($0.count)) }
    guard code == Z_OK, Int(size) == count else { throw DamagedArchive("a column does not inflate") }
    if count == 0 { return [] }
    return plain
  }
}
