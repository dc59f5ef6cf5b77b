/// Why bytes are not protobuf that is read here.
enum ProtobufProblem: Error, Equatable {
  case malformed(at: Int)
  case tooDeep
  case tooMany

  var message: String {
    switch self {
    case .malformed(let place): "the body is not the protobuf message that belongs here: it goes wrong at byte \(place)"
    case .tooDeep: "a value nests more than \(ProtobufReader.depthLimit) levels"
    case .tooMany: "the message has more than \(ProtobufReader.fieldLimit) fields"
    }
  }
}

/// Walks through the fields of a protobuf message and of those inside it, without copying it. Bounded in depth and size.
struct ProtobufReader {
  enum Value {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    /// A string, bytes, or another message.
    case bytes(Range<Int>)
  }
  static let depthLimit = 24
  /// Of all messages that one body holds.
  static let fieldLimit = 1_000_000

  private let bytes: [UInt8]
  private var place: Int
  private let end: Int
  private let depth: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    (place, end, depth) = (0, bytes.count, 0)
  }

  private init(_ outer: ProtobufReader, _ range: Range<Int>) {
    bytes = outer.bytes
    (place, end, depth) = (range.lowerBound, range.upperBound, outer.depth + 1)
  }

  /// Calls `field` with number and value of every field in turn. `budget` is how many fields may still come.
  mutating func eachField(
    _ budget: inout Int, _ field: (Int, Value, inout Int) throws(ProtobufProblem) -> Void
  ) throws(ProtobufProblem) {
    while place < end {
      budget -= 1
      guard budget >= 0 else { throw .tooMany }
      let start = place
      let tag = try varint()
      guard let number = Int(exactly: tag >> 3), number > 0, number < 1 << 29 else { throw .malformed(at: start) }
      switch tag & 7 {
      case 0: try field(number, .varint(try varint()), &budget)
      case 1: try field(number, .fixed64(try fixed(8)), &budget)
      case 2: try field(number, .bytes(try range()), &budget)
      case 5: try field(number, .fixed32(UInt32(truncatingIfNeeded: try fixed(4))), &budget)
      default: throw .malformed(at: start)
      }
    }
  }

  func message(_ range: Range<Int>) throws(ProtobufProblem) -> ProtobufReader {
    guard depth < Self.depthLimit else { throw .tooDeep }
    return ProtobufReader(self, range)
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func varint() throws(ProtobufProblem) -> UInt64 {
    let start = place
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard place < end else { break }
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw .malformed(at: start)
  }

  private mutating func fixed(_ count: Int) throws(ProtobufProblem) -> UInt64 {
    guard end - place >= count else { throw .malformed(at: place) }
    defer { place += count }
    return (0..<count).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }

  private mutating func range() throws(ProtobufProblem) -> Range<Int> {
    let start = place
    let count = try varint()
    guard count <= UInt64(end - place) else { throw .malformed(at: start) }
    defer { place += Int(count) }
    return place..<place + Int(count)
  }
}

/// The little that our answers need.
enum Protobuf {
  static func varint(_ number: UInt64) -> [UInt8] {
    var (bytes, rest): ([UInt8], UInt64) = ([], number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func field(_ number: UInt64, _ value: Int) -> [UInt8] {
    value == 0 ? [] : varint(number << 3) + varint(UInt64(truncatingIfNeeded: value))
  }

  static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty ? [] : varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
  }
}
