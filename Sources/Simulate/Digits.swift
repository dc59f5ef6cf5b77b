import Lifecycle

private let hexadecimal = Array("0123456789abcdef".utf8)
private let capitals = Array("0123456789ABCDEF".utf8)

extension Wire {
  func append(identity: UInt64, to bytes: inout [UInt8]) {
    bytes += words.identity
    appendHex(identity, hexadecimal, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// A device's id as clients make them: a UUID of version 4.
  func appendID(_ key: UInt64, to bytes: inout [UInt8]) {
    let high = mixed(key) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = mixed(~key) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    for nibble in 0..<32 {
      if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 { bytes.append(UInt8(ascii: "-")) }
      let half = nibble < 16 ? high : low
      bytes.append(capitals[Int(half >> UInt64(60 - nibble % 16 * 4) & 15)])
    }
  }

  func id(_ key: UInt64) -> String {
    var bytes: [UInt8] = []
    appendID(key, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  func append(at instant: Timestamp, asText: Bool, to bytes: inout [UInt8]) {
    bytes += words.at
    guard asText else { return append(instant.rawValue, to: &bytes) }
    let (date, day) = (instant.civil, instant.rawValue % 86_400_000)
    bytes.append(UInt8(ascii: "\""))
    appendPadded(date.year, 4, UInt8(ascii: "-"), to: &bytes)
    appendPadded(date.month, 2, UInt8(ascii: "-"), to: &bytes)
    appendPadded(date.day, 2, UInt8(ascii: "T"), to: &bytes)
    appendPadded(day / 3_600_000, 2, UInt8(ascii: ":"), to: &bytes)
    appendPadded(day / 60_000 % 60, 2, UInt8(ascii: ":"), to: &bytes)
    appendPadded(day / 1000 % 60, 2, UInt8(ascii: "."), to: &bytes)
    appendPadded(day % 1000, 3, UInt8(ascii: "Z"), to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// A number that is not negative, in decimal.
  func append(_ number: Int64, to bytes: inout [UInt8]) {
    var scale: Int64 = 1
    while number / scale >= 10 { scale *= 10 }
    while scale > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / scale % 10))
      scale /= 10
    }
  }

  private func appendPadded(_ number: Int64, _ width: Int, _ after: UInt8, to bytes: inout [UInt8]) {
    var scale: Int64 = width == 4 ? 1000 : width == 3 ? 100 : 10
    while scale > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / scale % 10))
      scale /= 10
    }
    bytes.append(after)
  }

  private func appendHex(_ number: UInt64, _ digits: [UInt8], to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(60), through: 0, by: -4) { bytes.append(digits[Int(number >> shift & 15)]) }
  }
}
