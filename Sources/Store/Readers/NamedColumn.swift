/// Texts of a page as numbers: 0 where there is none, else the place in the list of those that occur.
///
///     bytes of the list (4)  list: each text with its length (4) before it  numbers as `BitColumn`
struct NamedColumn {
  let names: [String]
  private let numbers: [UInt32]

  static func pack(_ values: [String?]) -> [UInt8] {
    let names = Set(values.compactMap(\.self)).sorted()
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, UInt32($0 + 1)) })
    let list = names.flatMap { bytes(UInt32($0.utf8.count)) + Array($0.utf8) }
    return bytes(UInt32(list.count)) + list + BitColumn.pack(values.map { $0.flatMap { places[$0] } ?? 0 })
  }

  /// Whether the lengths fit; the file's pages vouch for the rest.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard let length = number(bytes, at: 0), length <= bytes.count - 4 else { return false }
    return BitColumn.isWhole(bytes[(4 + length)...])
  }

  /// Of bytes that are whole.
  init(_ bytes: [UInt8]) {
    let end = 4 + (Self.number(bytes, at: 0) ?? 0)
    var (names, next, numbers) = ([String](), 4, [UInt32]())
    while next < end, let length = Self.number(bytes, at: next), next + 4 + length <= end {
      names.append(String(decoding: bytes[(next + 4)..<(next + 4 + length)], as: UTF8.self))
      next += 4 + length
    }
    _ = BitColumn.unpack(bytes[end...], into: &numbers)
    (self.names, self.numbers) = (names, numbers)
  }

  func write(into all: inout [UInt32], from first: Int, _ number: (String) -> UInt32) {
    let places = [0] + names.map(number)
    for (index, number) in numbers.enumerated() where first + index < all.count && Int(number) < places.count {
      all[first + index] = places[Int(number)]
    }
  }

  private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }

  private static func number(_ bytes: [UInt8], at place: Int) -> Int? {
    guard place + 4 <= bytes.count else { return nil }
    return bytes.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt32.self))) }
  }
}
