import Lifecycle
import Testing

@testable import Server

struct HTTPDateTests {
  /// RFC 9110, 5.6.7 has the first; 29 February 2024 was a Thursday.
  static let dates: [(Int64, String)] = [
    (784_111_777_000, "Sun, 06 Nov 1994 08:49:37 GMT"), (1_709_208_000_000, "Thu, 29 Feb 2024 12:00:00 GMT"),
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (1_740_816_000_000, "Sat, 01 Mar 2025 08:00:00 GMT"),
  ]

  @Test(arguments: dates) func isWrittenAndRead(_ milliseconds: Int64, _ text: String) {
    #expect(HTTPDate.text(Timestamp(rawValue: milliseconds + 999)) == text)
    #expect(HTTPDate.instant(text) == Timestamp(rawValue: milliseconds))
  }

  @Test(arguments: ["", "Sun Nov  6 08:49:37 1994", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET"])
  func otherFormsAreIgnored(_ text: String) { #expect(HTTPDate.instant(text) == nil) }
}
