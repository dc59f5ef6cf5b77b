/// Changes inputs at random, the same way for the same seed: bytes set, cut out, repeated, taken from another input, or
/// replaced by what parsers trip over.
struct Mutation {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  private static let awkward: [[UInt8]] =
    [
      "\0", "\"", "\\", "{", "[[[[[[[[", "]}", "-", "1e999", "-9223372036854775809", "18446744073709551616", "\n\r\n",
      ",,",
      "\u{FEFF}", "\u{202E}", "\\ud800", "%00", "../", "null", "1970-01-01T00:00:00Z",
    ].map { Array($0.utf8) } + [[0xC0, 0x80], [0xED, 0xA0, 0x80], [0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0]]

  /// SplitMix64.
  private mutating func below(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return Int((word ^ word >> 31) % UInt64(max(1, bound)))
  }

  private mutating func range(_ bytes: [UInt8]) -> Range<Int> {
    let start = below(bytes.count + 1)
    return start..<min(bytes.count, start + 1 + below(16))
  }

  mutating func changed(_ input: [UInt8], and others: [[UInt8]]) -> [UInt8] {
    var bytes = input
    for _ in 0...below(6) {
      let place = range(bytes)
      switch below(6) {
      case 0: for index in place { bytes[index] = UInt8(below(256)) }
      case 1: for index in place { bytes[index] ^= 1 << UInt8(below(8)) }
      case 2: bytes.removeSubrange(place)
      case 3: bytes.insert(contentsOf: bytes[place], at: place.lowerBound)
      case 4: bytes.insert(contentsOf: Self.awkward[below(Self.awkward.count)], at: place.lowerBound)
      default:
        let other = others[below(others.count)]
        bytes.replaceSubrange(place, with: other[range(other)])
      }
    }
    return bytes
  }
}
