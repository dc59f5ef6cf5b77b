/// Why bytes are not an archive.
struct DamagedArchive: Error {
  var why: String
  init(_ why: String) { self.why = why }
}

/// Reads the parts of an archive one after another, within bounds.
struct ArchiveBytes {
  private let bytes: [UInt8]
  private(set) var place: Int
  private let end: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    (place, end) = (range.lowerBound, range.upperBound)
  }

  var isAtEnd: Bool { place == end }

  mutating func take(_ count: Int) throws(DamagedArchive) -> ArraySlice<UInt8> {
    guard count >= 0, count <= end - place else { throw DamagedArchive("it ends too early") }
    defer { place += count }
    return bytes[place..<(place + count)]
  }

  mutating func number(width: Int) throws(DamagedArchive) -> UInt64 {
    try take(width).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func signed() throws(DamagedArchive) -> Int64 { Int64(bitPattern: try number(width: 8)) }

  /// nil where none was written.
  mutating func text() throws(DamagedArchive) -> String? {
    let length = try number(width: 4)
    if length == 0 { return nil }
    return String(decoding: try take(Int(length) - 1), as: UTF8.self)
  }

  static func append(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
    for place in 0..<width { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(place * 8))) }
  }

  static func append(_ text: String?, to bytes: inout [UInt8]) {
    append(UInt64((text?.utf8.count).map { $0 + 1 } ?? 0), width: 4, to: &bytes)
    bytes += text.map { Array($0.utf8) } ?? []
  }
}
