internal import Lifecycle

/// The date of HTTP headers: `Sat, 01 Mar 2025 08:00:00 GMT` (RFC 9110, 5.6.7).
enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Whole seconds; 1970 began on a Thursday.
  static func text(_ instant: Timestamp) -> String {
    let text = Timestamp(rawValue: instant.seconds * 1000).rfc3339
    let day = days[Int(instant.seconds / 86_400 % 7)]
    let month = Int(text.dropFirst(5).prefix(2)).map { months[$0 - 1] } ?? ""
    return "\(day), \(text.dropFirst(8).prefix(2)) \(month) \(text.prefix(4)) \(text.dropFirst(11).prefix(8)) GMT"
  }

  /// Nil for other forms, which a server may ignore.
  static func instant(_ text: String) -> Timestamp? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", words[4].utf8.count == 8, days.contains(where: { $0 + "," == words[0] }),
      let month = months.firstIndex(of: String(words[2]))
    else { return nil }
    let number = (month < 9 ? "0" : "") + "\(month + 1)"
    return try? Timestamp(rfc3339: "\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }
}
