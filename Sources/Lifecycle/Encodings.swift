/// Sixteen digits, as keyed hashes of devices are shown everywhere.
public func hexadecimal(_ number: UInt64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

/// The text in a form that may stand in any part of a URL: whatever RFC 3986 does not leave unreserved is an escape.
public func percentEncoded(_ text: String) -> String {
  text.utf8.map { isUnreserved($0) ? String(UnicodeScalar($0)) : percentEscape($0) }.joined()
}

/// `%2F`
public func percentEscape(_ byte: UInt8) -> String {
  "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}

private func isUnreserved(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
    true
  default: false
  }
}
