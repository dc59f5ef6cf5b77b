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

  /// Whoever asks may write what they like.
  @Test(arguments: [
    "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Thu, 31 Nov 1994 08:49:37 GMT",
    "Wed, 29 Feb 1995 08:49:37 GMT", "Sun, 06 Non 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
    "Sun, 06 11 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49:37.5 GMT",
    "Sun, 06 Nov 1994 08:49:37+01:00 GMT", "Non, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT GMT",
    "Sun, 9223372036854775808 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 9223372036854775808 08:49:37 GMT",
    "Sun, 06 Nov 1994 9223372036854775808:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT", "     GMT",
  ])
  func whatIsNoDateIsIgnored(_ text: String) { #expect(HTTPDate.instant(text) == nil) }
}
