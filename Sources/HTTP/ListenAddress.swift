/// Where a server listens.
public enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// A numeric address without brackets; port 0 lets the system choose.
  case ipv4(String, port: UInt16)
  case ipv6(String, port: UInt16)
  case unix(path: String)
  /// A listening socket that somebody else opened, such as a service manager.
  case inherited(descriptor: Int32)

  /// Reads `127.0.0.1:8787`, `localhost:8787`, `[::1]:8787`, `unix:/run/uptake/uptake.sock` or `fd:3`.
  public init(_ text: String) throws(ListenError) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard path.utf8.count > 0, path.utf8.count < 108 else {
        throw ListenError(address: text, reason: .badAddress("a socket path has 1 to 107 bytes"))
      }
      self = .unix(path: path)
    } else if text.hasPrefix("fd:") {
      guard let descriptor = Int32(text.dropFirst(3)), descriptor >= 0 else {
        throw ListenError(address: text, reason: .badAddress("'\(text.dropFirst(3))' is not a descriptor"))
      }
      self = .inherited(descriptor: descriptor)
    } else {
      self = try Self.hostAndPort(text)
    }
  }

  private static func hostAndPort(_ text: String) throws(ListenError) -> ListenAddress {
    guard let colon = text.lastIndex(of: ":") else {
      throw ListenError(address: text, reason: .badAddress("there is no port"))
    }
    let digits = text[text.index(after: colon)...]
    guard let port = UInt16(digits) else {
      throw ListenError(address: text, reason: .badAddress("'\(digits)' is not a port from 0 to 65535"))
    }
    let host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { return .ipv6(String(host.dropFirst().dropLast()), port: port) }
    return .ipv4(host == "localhost" ? "127.0.0.1" : String(host), port: port)
  }

  /// Where an inherited socket listens; any other address as it is, and so where the descriptor is no socket with an address.
  public var bound: ListenAddress {
    guard case .inherited(let descriptor) = self else { return self }
    return SocketAddress.local(of: descriptor).listenAddress ?? self
  }

  public var description: String {
    switch self {
    case .ipv4(let host, let port): "\(host):\(port)"
    case .ipv6(let host, let port): "[\(host)]:\(port)"
    case .unix(let path): "unix:\(path)"
    case .inherited(let descriptor): "fd:\(descriptor)"
    }
  }
}
