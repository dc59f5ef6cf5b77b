import Glibc

/// A socket address of any family, in the storage that the system calls want.
struct SocketAddress: Sendable {
  private var storage = sockaddr_storage()
  private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  var family: Int32 { Int32(storage.ss_family) }

  init() {}

  init(_ address: ListenAddress) throws(ListenError) {
    switch address {
    case .ipv4(let host, let port):
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_port = port.bigEndian
      guard inet_pton(AF_INET, host, &place.sin_addr) == 1 else { throw Self.notNumeric(address, host, "IPv4") }
      store(place)
    case .ipv6(let host, let port):
      var place = sockaddr_in6()
      place.sin6_family = sa_family_t(AF_INET6)
      place.sin6_port = port.bigEndian
      guard inet_pton(AF_INET6, host, &place.sin6_addr) == 1 else { throw Self.notNumeric(address, host, "IPv6") }
      store(place)
    case .unix(let path):
      var place = sockaddr_un()
      place.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
      store(place)
    case .inherited: throw ListenError(address: address.description, reason: .badDescriptor)
    }
  }

  private static func notNumeric(_ address: ListenAddress, _ host: String, _ kind: String) -> ListenError {
    ListenError(address: address.description, reason: .badAddress("'\(host)' is not a numeric \(kind) address"))
  }

  private mutating func store<T>(_ place: T) {
    withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: place, as: T.self) }
    length = socklen_t(MemoryLayout<T>.size)
  }

  static func local(of descriptor: Int32) -> SocketAddress {
    var address = SocketAddress()
    _ = address.withMutablePointer { getsockname(descriptor, $0, $1) }
    return address
  }

  func withPointer<T>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
    withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  mutating func withMutablePointer<T>(_ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> T)
    -> T
  {
    withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
  }

  var port: UInt16 {
    switch family {
    case AF_INET: UInt16(bigEndian: load(sockaddr_in.self).sin_port)
    case AF_INET6: UInt16(bigEndian: load(sockaddr_in6.self).sin6_port)
    default: 0
    }
  }

  /// Numeric, without a port; an IPv4 client of an IPv6 socket reads as IPv4.
  var host: String {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard family == AF_INET || family == AF_INET6 else { return "unix" }
    let failed = withPointer { getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) }
    let host = failed == 0 ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "?"
    return host.hasPrefix("::ffff:") ? String(host.dropFirst(7)) : host
  }

  /// Nil for addresses that have no text: those of no family that a server listens on, and sockets without a file.
  var listenAddress: ListenAddress? {
    switch family {
    case AF_INET: .ipv4(host, port: port)
    case AF_INET6: .ipv6(host, port: port)
    case AF_UNIX: path.isEmpty ? nil : .unix(path: path)
    default: nil
    }
  }

  private var path: String {
    withUnsafeBytes(of: load(sockaddr_un.self).sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Nil for sockets in the file system.
  var client: ClientAddress? {
    switch family {
    case AF_INET: ClientAddress(load(sockaddr_in.self).sin_addr)
    case AF_INET6: ClientAddress(load(sockaddr_in6.self).sin6_addr)
    default: nil
    }
  }

  private func load<T>(_ type: T.Type) -> T { withUnsafeBytes(of: storage) { $0.load(as: type) } }
}
