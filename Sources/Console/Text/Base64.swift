private let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// Bytes in Base64 (RFC 4648), padded.
public func base64(_ bytes: [UInt8]) -> String {
  let text = stride(from: 0, to: bytes.count, by: 3).flatMap { start -> [UInt8] in
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    let written = [18, 12, 6, 0].map { letters[bits >> $0 & 63] }
    return written.prefix(group.count + 1) + Array(repeating: UInt8(ascii: "="), count: 3 - group.count)
  }
  return String(decoding: text, as: UTF8.self)
}

/// The bytes of Base64 with its padding; nil for anything else.
public func bytes(base64 text: some StringProtocol) -> [UInt8]? {
  let digits = Array(text.utf8)
  let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
  guard digits.count.isMultiple(of: 4), padding <= 2 else { return nil }
  var bytes: [UInt8] = []
  for start in stride(from: 0, to: digits.count, by: 4) {
    var bits = 0
    for index in start..<start + 4 {
      let isPadding = index >= digits.count - padding
      guard let value = isPadding ? 0 : letters.firstIndex(of: digits[index]) else { return nil }
      bits = bits << 6 | value
    }
    bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
  }
  return bytes.dropLast(padding)
}
