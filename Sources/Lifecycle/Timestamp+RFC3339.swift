/// Why a text is not an instant.
public enum TimestampProblem: Error, Equatable, Sendable {
  case malformed
  /// A date and time without `Z` or an offset: it could be any of 26 hours.
  case missingZone
}

extension Timestamp {
  /// Reads `2024-03-04T08:00:00Z`, with optional fraction (digits past the millisecond are dropped) and `Z` or `±hh:mm`.
  public init(rfc3339 text: Span<UInt8>) throws(TimestampProblem) {
    guard text.count >= 19,
      let year = number(text, 0..<4), text[4] == UInt8(ascii: "-"),
      let month = number(text, 5..<7), text[7] == UInt8(ascii: "-"),
      let day = number(text, 8..<10), isDateTimeSeparator(text[10]),
      let hour = number(text, 11..<13), text[13] == UInt8(ascii: ":"),
      let minute = number(text, 14..<16), text[16] == UInt8(ascii: ":"),
      let second = number(text, 17..<19)
    else { throw .malformed }
    guard (1...12).contains(month), (1...daysInMonth(year, month)).contains(day), hour < 24, minute < 60, second <= 60
    else { throw .malformed }
    var index = 19
    let milliseconds = try fraction(text, at: &index)
    let offset = try offsetMinutes(text, at: index)
    let days = Timestamp.daysSince1970(year: year, month: month, day: day)
    rawValue = (((days * 24 + hour) * 60 + minute - offset) * 60 + min(second, 59)) * 1000 + milliseconds
  }

  public init(rfc3339 text: String) throws(TimestampProblem) {
    try self.init(rfc3339: Array(text.utf8).span)
  }

  /// `2024-03-04T08:00:00Z`; with milliseconds only where there are any.
  public var rfc3339: String {
    let (date, second, millisecond) = (civil, seconds, (rawValue % 1000 + 1000) % 1000)
    let time = second - second.quotientFloored(by: 86_400) * 86_400
    let clock = "\(pad(time / 3600, 2)):\(pad(time / 60 % 60, 2)):\(pad(time % 60, 2))"
    let fraction = millisecond == 0 ? "" : "." + pad(millisecond, 3)
    return "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))T\(clock)\(fraction)Z"
  }

  /// The date in UTC.
  public var civil: (year: Int64, month: Int64, day: Int64) {
    Timestamp.civil(daysSince1970: seconds.quotientFloored(by: 86_400))
  }

  /// Days between 1970-01-01 and a date of the Gregorian calendar, counted in eras of 400 years.
  static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.quotientFloored(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.quotientFloored(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

private func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
  var value: Int64 = 0
  for index in range {
    let digit = text[index] &- UInt8(ascii: "0")
    guard digit <= 9 else { return nil }
    value = value * 10 + Int64(digit)
  }
  return value
}

private func isDateTimeSeparator(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "T") || byte == UInt8(ascii: "t") || byte == UInt8(ascii: " ")
}

private func daysInMonth(_ year: Int64, _ month: Int64) -> Int64 {
  switch month {
  case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

private func fraction(_ text: Span<UInt8>, at index: inout Int) throws(TimestampProblem) -> Int64 {
  guard index < text.count, text[index] == UInt8(ascii: ".") else { return 0 }
  index += 1
  var (value, scale, digits): (Int64, Int64, Int) = (0, 100, 0)
  while index < text.count, case let digit = text[index] &- UInt8(ascii: "0"), digit <= 9 {
    value += Int64(digit) * scale
    scale /= 10
    digits += 1
    index += 1
  }
  guard digits > 0 else { throw .malformed }
  return value
}

private func offsetMinutes(_ text: Span<UInt8>, at index: Int) throws(TimestampProblem) -> Int64 {
  guard index < text.count else { throw .missingZone }
  let sign = text[index]
  if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") {
    guard text.count == index + 1 else { throw .malformed }
    return 0
  }
  guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), text.count == index + 6,
    let hours = number(text, index + 1..<index + 3), text[index + 3] == UInt8(ascii: ":"),
    let minutes = number(text, index + 4..<index + 6), hours < 24, minutes < 60
  else { throw .malformed }
  return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
}

private func pad(_ value: Int64, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
