import Testing

@testable import Lifecycle

struct EncodingTests {
  @Test(
    arguments: [
      (0, "0000000000000000"), (1, "0000000000000001"), (0xDEAD_BEEF, "00000000deadbeef"), (.max, "ffffffffffffffff"),
    ] as [(UInt64, String)])
  func aHashHasSixteenDigits(_ number: UInt64, _ digits: String) { #expect(hexadecimal(number) == digits) }

  /// RFC 3986, 2.1 and 2.3.
  @Test(arguments: [
    ("", ""), ("aZ09-._~", "aZ09-._~"), ("a b/c?d&e=f", "a%20b%2Fc%3Fd%26e%3Df"), ("ü\n", "%C3%BC%0A"), ("%", "%25"),
    ("٣", "%D9%A3"),
  ])
  func inAURLOnlyWhatIsUnreservedStandsAsItIs(_ text: String, _ encoded: String) {
    #expect(percentEncoded(text) == encoded)
  }

  @Test func everyByteIsOneOrAnEscape() {
    for byte in UInt8.min..<0x80 {
      let encoded = percentEncoded(String(UnicodeScalar(byte)))
      #expect(encoded == String(UnicodeScalar(byte)) || encoded == percentEscape(byte))
      #expect(percentEscape(byte).utf8.count == 3)
    }
  }
}
