internal import Glibc

/// An instant: milliseconds since 1970-01-01T00:00:00Z, as people type and read it.
public struct Instant: RawRepresentable, Comparable, Hashable, Sendable {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  static let forms = "accepted forms: 2025-03-01, 2025-03-01T08:00:00Z, 2025-03-01T08:00:00+02:00, or an age such as 7d"

  /// Reads RFC 3339, a date (its midnight in UTC), or a duration, which means that long before `now`.
  public init(_ text: String, now: Instant) throws(Misreading) {
    if let age = try? Duration(text) {
      rawValue = now.rawValue - age.rawValue
      return
    }
    let bytes = Array(text.utf8)
    if bytes.count == 10, let midnight = instant(Array((text + "T00:00:00").utf8), offset: 0) {
      self = midnight
      return
    }
    guard bytes.count >= 19, instant(Array(bytes[..<19]), offset: 0) != nil else {
      throw Misreading("is not a time", hints: [Self.forms])
    }
    var rest = bytes[19...]
    let fraction = milliseconds(&rest)
    guard !rest.isEmpty else {
      throw Misreading("is a time without a zone", hints: ["add Z for UTC: \(shellWord(text + "Z"))"])
    }
    guard let fraction, let offset = offsetMinutes(Array(rest)), let whole = instant(bytes, offset: offset) else {
      throw Misreading("is not a time", hints: [Self.forms])
    }
    rawValue = whole.rawValue + fraction
  }

  /// The clock of this machine.
  public static func now() -> Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Instant(rawValue: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// `2025-03-01T08:00:00Z`, with milliseconds only where there are any.
  public var rfc3339: String {
    let (date, clock, millisecond) = parts
    return "\(date)T\(clock)" + (millisecond == 0 ? "" : "." + padDigits(millisecond, 3)) + "Z"
  }

  /// `2025-03-01 08:00 UTC`, for people.
  public var words: String {
    let (date, clock, _) = parts
    return "\(date) \(clock.prefix(5)) UTC"
  }

  private var parts: (date: String, clock: String, millisecond: Int) {
    var seconds = time_t(rawValue / 1000 - (rawValue % 1000 < 0 ? 1 : 0))
    let millisecond = Int((rawValue % 1000 + 1000) % 1000)
    var fields = unsafe tm()
    unsafe gmtime_r(&seconds, &fields)
    let date = unsafe [
      padDigits(Int(fields.tm_year) + 1900, 4), padDigits(Int(fields.tm_mon) + 1, 2), padDigits(Int(fields.tm_mday), 2),
    ]
    let clock = unsafe [fields.tm_hour, fields.tm_min, fields.tm_sec].map { padDigits(Int($0), 2) }
    return (date.joined(separator: "-"), clock.joined(separator: ":"), millisecond)
  }
}

/// Reads the 19 bytes of `2025-03-01T08:00:00`; nil where they are not a date and time that exist.
private func instant(_ bytes: [UInt8], offset: Int) -> Instant? {
  let shape = Array("0000-00-00T00:00:00".utf8)
  for (byte, expected) in zip(bytes, shape) {
    let fits =
      expected == UInt8(ascii: "0") ? isDigit(byte) : byte == expected || (expected == 84 && [32, 116].contains(byte))
    guard fits else { return nil }
  }
  func number(_ range: Range<Int>) -> Int32 { bytes[range].reduce(0) { $0 * 10 + Int32($1 - 48) } }
  var fields = unsafe tm()
  unsafe fields.tm_year = number(0..<4) - 1900
  unsafe fields.tm_mon = number(5..<7) - 1
  unsafe fields.tm_mday = number(8..<10)
  unsafe fields.tm_hour = number(11..<13)
  unsafe fields.tm_min = number(14..<16)
  unsafe fields.tm_sec = min(number(17..<19), 59)
  let typed = unsafe [fields.tm_mon, fields.tm_mday, fields.tm_hour, fields.tm_min]
  guard number(17..<19) <= 60 else { return nil }
  let seconds = unsafe timegm(&fields)
  // `timegm` turns February 30 into March 1; what it had to change did not exist.
  guard unsafe [fields.tm_mon, fields.tm_mday, fields.tm_hour, fields.tm_min] == typed else { return nil }
  return Instant(rawValue: (Int64(seconds) - Int64(offset) * 60) * 1000)
}

/// Takes `.123` off the front: 0 where there is no dot, nil where no digit follows it.
private func milliseconds(_ rest: inout ArraySlice<UInt8>) -> Int64? {
  guard rest.first == UInt8(ascii: ".") else { return 0 }
  let digits = rest.dropFirst().prefix(while: isDigit)
  rest = rest.dropFirst(digits.count + 1)
  guard !digits.isEmpty else { return nil }
  return (Array(digits) + [48, 48]).prefix(3).reduce(0) { $0 * 10 + Int64($1 - 48) }
}

/// Reads `Z` or `±hh:mm`.
private func offsetMinutes(_ bytes: [UInt8]) -> Int? {
  if bytes == [UInt8(ascii: "Z")] || bytes == [UInt8(ascii: "z")] { return 0 }
  guard bytes.count == 6, let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
    bytes[3] == UInt8(ascii: ":"), [1, 2, 4, 5].allSatisfy({ isDigit(bytes[$0]) })
  else { return nil }
  let digits = [1, 2, 4, 5].map { Int(bytes[$0] - 48) }
  let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
  guard hours < 24, minutes < 60 else { return nil }
  return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
}

private func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

/// Digits with zeros in front up to `width`.
private func padDigits(_ value: Int, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
