internal import Lifecycle

/// A written form of instants, shown by how it writes 2 January 2006, 15:04:05: `02/Jan/2006:15:04:05 -0700`.
///
/// A fraction of a second may follow the seconds in any of them.
public struct TimeLayout: Equatable, Sendable {
  fileprivate enum Part: Equatable {
    case year, month, monthName, day, hour, minute, second, zone
    case literal(UInt8)
  }

  private static let words: [(word: String, part: Part)] = [
    ("2006", .year), ("Jan", .monthName), ("01", .month), ("02", .day), ("15", .hour), ("04", .minute), ("05", .second),
    ("-07:00", .zone), ("-0700", .zone), ("Z07:00", .zone),
  ]
  private static let needed: [(name: String, parts: [Part])] = [
    ("year, 2006", [.year]), ("month, 01 or Jan", [.month, .monthName]), ("day, 02", [.day]), ("hour, 15", [.hour]),
    ("minute, 04", [.minute]),
  ]

  let text: String
  private let parts: [Part]
  /// Of texts that name none.
  private let zone: String?

  init(_ text: String, zone: String?) throws(MapSyntaxError) {
    self.text = text
    var (parts, rest): ([Part], Substring) = ([], text[...])
    while let next = rest.first {
      if let word = Self.words.first(where: { rest.hasPrefix($0.word) }) {
        parts.append(word.part)
        rest = rest.dropFirst(word.word.count)
      } else {
        parts += String(next).utf8.map { .literal($0) }
        rest = rest.dropFirst()
      }
    }
    self.parts = parts
    let forms =
      "write rfc3339, s, ms, us, ns, or how the export writes 2 January 2006, 15:04:05, such as \"2006-01-02 15:04:05 UTC\""
    if let missing = Self.needed.first(where: { !$0.parts.contains(where: parts.contains) }) {
      throw MapSyntaxError("the form of time \(quotedWord(text)) has no \(missing.name)", hint: forms)
    }
    let isUTC = ["UTC", "GMT", "Z"].contains(where: text.hasSuffix)
    guard parts.contains(.zone) || isUTC || zone != nil else {
      throw MapSyntaxError(
        "the form of time \(quotedWord(text)) has no zone", hint: "add zone = \"UTC\", or an offset like \"+02:00\"")
    }
    self.zone = isUTC || zone == "UTC" ? "Z" : zone
    if let zone = self.zone, (try? Timestamp(rfc3339: "2006-01-02T15:04:05" + zone)) == nil {
      throw MapSyntaxError("\(quotedWord(zone)) is not a zone", hint: "write UTC, or an offset like +02:00")
    }
  }

  func instant(_ text: String) -> Timestamp? {
    var (rest, digits, offset) = (Array(text.utf8)[...], [String: String](), zone ?? "Z")
    for part in parts {
      switch part {
      case .literal(let byte): guard rest.popFirst() == byte else { return nil }
      case .zone:
        guard let found = takeZone(&rest) else { return nil }
        offset = found
      case .monthName:
        guard let month = takeMonth(&rest) else { return nil }
        digits["month"] = month
      case .year, .month, .day, .hour, .minute, .second:
        guard let number = takeDigits(&rest, part == .year ? 4 : 2) else { return nil }
        digits["\(part)"] = number + (part == .second ? takeFraction(&rest) : "")
      }
    }
    guard rest.isEmpty, let year = digits["year"], let month = digits["month"], let day = digits["day"],
      let hour = digits["hour"], let minute = digits["minute"]
    else { return nil }
    // RFC 3339 knows how long months are.
    return try? Timestamp(rfc3339: "\(year)-\(month)-\(day)T\(hour):\(minute):\(digits["second"] ?? "00")\(offset)")
  }
}

private func takeDigits(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> String? {
  guard rest.count >= count, rest.prefix(count).allSatisfy({ $0 &- 48 <= 9 }) else { return nil }
  defer { rest = rest.dropFirst(count) }
  return String(decoding: rest.prefix(count), as: UTF8.self)
}

/// `.123456`, or nothing.
private func takeFraction(_ rest: inout ArraySlice<UInt8>) -> String {
  guard rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") else { return "" }
  let digits = rest.dropFirst().prefix { $0 &- 48 <= 9 }
  guard !digits.isEmpty else { return "" }
  rest = rest[digits.endIndex...]
  return "." + String(decoding: digits, as: UTF8.self)
}

private func takeMonth(_ rest: inout ArraySlice<UInt8>) -> String? {
  let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  guard let month = names.firstIndex(where: { rest.starts(with: $0.utf8) }) else { return nil }
  rest = rest.dropFirst(3)
  return month < 9 ? "0\(month + 1)" : "\(month + 1)"
}

/// `Z`, `+0200` or `+02:00`.
private func takeZone(_ rest: inout ArraySlice<UInt8>) -> String? {
  if rest.first == UInt8(ascii: "Z") {
    rest.removeFirst()
    return "Z"
  }
  guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
    let hours = takeDigits(&rest, 2)
  else { return nil }
  if rest.first == UInt8(ascii: ":") { rest.removeFirst() }
  guard let minutes = takeDigits(&rest, 2) else { return nil }
  return String(UnicodeScalar(sign)) + hours + ":" + minutes
}
