import Glibc

/// A numeric client address, of which limits only need to know what it shares with others.
public struct ClientAddress: Hashable, Sendable {
  /// The sixteen bytes of an IPv6 address in two numbers; IPv4 lies in `::ffff:0:0/96`.
  let network: UInt64
  let host: UInt64
  private static let mapped: UInt64 = 0xFFFF << 32

  init(_ address: in_addr) { (network, host) = (0, Self.mapped | UInt64(UInt32(bigEndian: address.s_addr))) }

  init(_ address: in6_addr) {
    (network, host) = withUnsafeBytes(of: address) {
      (UInt64(bigEndian: $0.load(as: UInt64.self)), UInt64(bigEndian: $0.load(fromByteOffset: 8, as: UInt64.self)))
    }
  }

  /// Reads `192.0.2.7`, `2001:db8::7`, and both with a port as proxies write it: `192.0.2.7:5000`, `[2001:db8::7]:5000`.
  public init?(_ text: some StringProtocol) {
    guard let host = Self.host(Substring(text).utf8) else { return nil }
    let text = String(Substring(host))
    var (four, six) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(four)
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self.init(six)
    } else {
      return nil
    }
  }

  /// What stands between spaces, without brackets and port. In bytes: every request names a host.
  private static func host(_ text: Substring.UTF8View) -> Substring.UTF8View? {
    var text = text.drop { $0 == UInt8(ascii: " ") }
    while text.last == UInt8(ascii: " ") { text.removeLast() }
    if text.first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")), isPort(text[end...].dropFirst()) else { return nil }
      return text[..<end].dropFirst()
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text.lastIndex(of: UInt8(ascii: ":")) == colon else {
      return text
    }
    return isPort(text[colon...]) ? text[..<colon] : nil
  }

  /// What may stand behind a host: nothing, or a colon and digits.
  public static func isPort(_ text: some StringProtocol) -> Bool { isPort(Substring(text).utf8) }

  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    text.isEmpty || text.first == UInt8(ascii: ":") && text.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }

  var isIPv4: Bool { network == 0 && host >> 32 == 0xFFFF }

  /// Whether it is this machine's own.
  public var isLoopback: Bool { isIPv4 ? host & 0xFF00_0000 == 0x7F00_0000 : network == 0 && host == 1 }

  /// What shares limits: an IPv4 address, or an IPv6 /64, which one household has for itself.
  public var crowd: UInt64 { network == 0 ? host : network }
}

/// Addresses that begin alike: `10.0.0.0/8`, `2001:db8::/32`, or a single address. `unix` is whoever comes through a socket in
/// the file system, and has none.
public struct AddressRange: Hashable, Sendable {
  private let base: ClientAddress
  private let bits: Int
  public let isOfSockets: Bool

  public init?(_ text: String) {
    isOfSockets = text == "unix"
    if isOfSockets {
      (base, bits) = (ClientAddress(in6_addr()), 128)
      return
    }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let base = ClientAddress(parts[0]) else { return nil }
    let longest = base.isIPv4 ? 32 : 128
    guard let bits = parts.count == 1 ? longest : Int(parts[1]), (0...longest).contains(bits) else { return nil }
    self.base = base
    self.bits = bits + 128 - longest
  }

  public func contains(_ address: ClientAddress) -> Bool {
    if isOfSockets { return false }
    let first = min(bits, 64)
    let rest = bits - first
    return (address.network ^ base.network) & Self.mask(first) == 0 && (address.host ^ base.host) & Self.mask(rest) == 0
  }

  private static func mask(_ bits: Int) -> UInt64 { bits == 0 ? 0 : ~UInt64(0) << UInt64(64 - bits) }
}
