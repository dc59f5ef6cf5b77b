import HTTP
import Ingest
import Testing

@testable import Server

struct RateLimitTests {
  private func limits(perAddress: Int = 1, perKey: Int = 1, proxies: [String] = []) throws -> RateLimits {
    RateLimits(
      .init(
        perAddress: perAddress, perKey: perKey,
        trustedProxies: try proxies.map { try #require(AddressRange($0)) }))
  }

  private func request(from address: String, forwarded: String...) throws -> Request {
    let headers = Headers(forwarded.map { ("x-forwarded-for", $0) })
    return Request(
      method: "GET", target: try #require(Target("/")), headers: headers, address: ClientAddress(address[...]))
  }

  @Test func countsAddressesAndKeysByThemselves() throws {
    let limits = try limits()
    for _ in 0..<RateLimits.Settings.burstSeconds {
      #expect(limits.excess(of: try request(from: "203.0.113.9")) == nil)
      #expect(limits.excess(ofKey: 7) == nil)
    }
    let excess = try #require(limits.excess(of: try request(from: "203.0.113.9")))
    #expect(excess.what == "address" && excess.seconds == 1)
    #expect(excess.response.status == 429 && excess.response.headers.contains { $0 == ("Retry-After", "1") })
    #expect(limits.excess(ofKey: 7)?.what == "key")
    #expect(limits.excess(of: try request(from: "203.0.113.10")) == nil && limits.excess(ofKey: 8) == nil)
    #expect(limits.refused.total == 2)
  }

  @Test func thisMachineAndNoKeyHaveNoLimit() throws {
    let limits = try limits()
    for _ in 0..<100 {
      #expect(limits.excess(of: try request(from: "127.0.0.1")) == nil)
      #expect(limits.excess(of: try request(from: "::1")) == nil)
      #expect(limits.excess(ofKey: nil) == nil)
    }
  }

  @Test func zeroIsNoLimit() throws {
    let limits = try limits(perAddress: 0, perKey: 0)
    for _ in 0..<100 {
      #expect(limits.excess(of: try request(from: "203.0.113.9")) == nil && limits.excess(ofKey: 1) == nil)
    }
  }

  /// Who is behind a proxy is believed where the proxy is, from its side of the list on.
  @Test(arguments: [
    ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"), ("10.0.0.7", ["198.51.100.1"], "198.51.100.1"),
    ("10.0.0.7", ["192.0.2.66, 198.51.100.1"], "198.51.100.1"),
    ("10.0.0.7", ["198.51.100.1, 10.0.0.8"], "198.51.100.1"),
    ("10.0.0.7", ["192.0.2.66", "198.51.100.1"], "198.51.100.1"), ("10.0.0.7", ["198.51.100.1, nobody"], "10.0.0.7"),
    ("10.0.0.7", [], "10.0.0.7"), ("10.0.0.7", ["10.0.0.8"], "10.0.0.7"),
  ]) func believesTrustedProxies(_ peer: String, _ forwarded: [String], _ client: String) throws {
    let headers = Headers(forwarded.map { ("x-forwarded-for", $0) })
    let request = Request(
      method: "GET", target: try #require(Target("/")), headers: headers, address: ClientAddress(peer[...]))
    #expect(try limits(proxies: ["10.0.0.0/8"]).client(of: request) == ClientAddress(client[...]))
  }

  /// A proxy that comes through a socket in the file system has no address to be trusted by.
  @Test func believesAProxyBehindASocket() throws {
    let request = Request(
      method: "GET", target: try #require(Target("/")),
      headers: Headers([("x-forwarded-for", "198.51.100.1, 10.0.0.8")]))
    #expect(try limits().client(of: request) == nil)
    #expect(try limits(proxies: ["10.0.0.0/8"]).client(of: request) == nil)
    #expect(try limits(proxies: ["unix", "10.0.0.0/8"]).client(of: request) == ClientAddress("198.51.100.1"))
    #expect(
      try limits(proxies: ["unix"]).client(of: try self.request(from: "203.0.113.9")) == ClientAddress("203.0.113.9"))
    #expect(try limits(proxies: ["unix"]).client(of: try self.request(from: "::")) == ClientAddress("::"))
  }
}
