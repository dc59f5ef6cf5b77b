/// A structure in Thrift's compact protocol, as far as Parquet's metadata need it: fields in rising order, integers, texts,
/// lists and structures.
struct Thrift {
  private(set) var bytes: [UInt8] = []
  private var last = 0

  /// Its fields and the byte that ends it.
  static func structure(_ fill: (inout Thrift) -> Void) -> [UInt8] {
    var thrift = Thrift()
    fill(&thrift)
    return thrift.bytes + [0]
  }

  private enum Kind: UInt8 { case int32 = 5, int64, binary = 8, list, structure = 12 }

  mutating func int32(_ field: Int, _ value: Int) {
    begin(field, .int32)
    bytes += Self.zigzag(value)
  }

  mutating func int64(_ field: Int, _ value: Int) {
    begin(field, .int64)
    bytes += Self.zigzag(value)
  }

  mutating func text(_ field: Int, _ value: String) {
    begin(field, .binary)
    bytes += Self.binary(value)
  }

  mutating func structure(_ field: Int, _ fill: (inout Thrift) -> Void) {
    begin(field, .structure)
    bytes += Self.structure(fill)
  }

  mutating func structures(_ field: Int, _ elements: [[UInt8]]) { list(field, .structure, elements) }
  mutating func texts(_ field: Int, _ values: [String]) { list(field, .binary, values.map(Self.binary)) }
  mutating func int32s(_ field: Int, _ values: [Int]) { list(field, .int32, values.map(Self.zigzag)) }

  private mutating func list(_ field: Int, _ kind: Kind, _ elements: [[UInt8]]) {
    begin(field, .list)
    if elements.count < 15 {
      bytes.append(UInt8(elements.count) << 4 | kind.rawValue)
    } else {
      bytes.append(0xF0 | kind.rawValue)
      bytes += Self.varint(UInt64(elements.count))
    }
    bytes += elements.joined()
  }

  /// The number of a field is written as its distance from the one before, which is 15 at most in Parquet.
  private mutating func begin(_ field: Int, _ kind: Kind) {
    bytes.append(UInt8(field - last) << 4 | kind.rawValue)
    last = field
  }

  private static func binary(_ text: String) -> [UInt8] { varint(UInt64(text.utf8.count)) + text.utf8 }

  private static func zigzag(_ value: Int) -> [UInt8] { varint(UInt64(bitPattern: Int64(value << 1 ^ value >> 63))) }

  static func varint(_ value: UInt64) -> [UInt8] {
    var (rest, bytes) = (value, [UInt8]())
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
