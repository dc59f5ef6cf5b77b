import HTTP
import Testing

/// What shares limits, and which addresses a range holds.
struct ClientAddressTests {
  @Test(arguments: [
    ("192.0.2.7", "192.0.2.7:5000"), ("192.0.2.7", "::ffff:192.0.2.7"),
    ("2001:db8:1:2::1", "[2001:db8:1:2:ffff::9]:443"),
    ("10.0.0.1", " 10.0.0.1"), ("10.0.0.1", "10.0.0.1  "), ("2001:db8::1", " [2001:db8::1] "),
    ("192.0.2.7", "192.0.2.7:"), ("2001:db8::1", "[2001:db8::1]:"),
  ])
  func sharesLimits(_ one: String, _ other: String) throws {
    #expect(try #require(ClientAddress(one)).crowd == #require(ClientAddress(other)).crowd)
  }

  @Test(arguments: [("192.0.2.7", "192.0.2.8"), ("2001:db8:1:2::1", "2001:db8:1:3::1"), ("::1", "127.0.0.1")])
  func sharesNothing(_ one: String, _ other: String) throws {
    #expect(try #require(ClientAddress(one)).crowd != #require(ClientAddress(other)).crowd)
  }

  @Test(arguments: [
    "", "unknown", "_hidden", "1.2.3", "1.2.3.4.5", "localhost", "2001:db8::1::2", "1.2.3.4/8",
    "127.0.0.1:80.evil.example", "127.0.0.1:80@evil.example", "[::1]evil.example", "[::1", "1 2 7.0.0.1", "127.0.0.1:x",
    "[::1]:x", "[::1] :80", "[]", ":80", "127.0.0.1:\u{664}\u{662}", "[::1]:\u{664}", "127.0.0.1 :80", "127.0.0.1:8:0",
  ])
  func isNoAddress(_ text: String) { #expect(ClientAddress(text) == nil) }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.8.8.8", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.1", false),
  ])
  func knowsThisMachine(_ text: String, _ expected: Bool) throws {
    #expect(try #require(ClientAddress(text)).isLoopback == expected)
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("0.0.0.0/0", "192.0.2.1", true),
    ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false), ("192.0.2.0/31", "192.0.2.1", true),
    ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
    ("2001:db8::/65", "2001:db8::1", true), ("2001:db8::/65", "2001:db8:0:0:8000::1", false),
    ("::/0", "2001:db8::1", true),
    ("0.0.0.0/0", "2001:db8::1", false),
  ])
  func rangeHolds(_ range: String, _ address: String, _ expected: Bool) throws {
    let held: ClientAddress = try #require(ClientAddress(address))
    #expect(try #require(AddressRange(range)).contains(held) == expected)
  }

  @Test(arguments: ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "2001:db8::/129", "proxy"])
  func isNoRange(_ text: String) { #expect(AddressRange(text) == nil) }
}
