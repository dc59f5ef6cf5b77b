import Glibc
import Testing

/// A socket that listens on a free port of this machine, for servers that do what the real one never would.
func listenOnLoopback() throws -> (descriptor: CInt, port: UInt16) {
  let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, size) == 0 && listen(descriptor, 4) == 0 && getsockname(descriptor, $0, &size) == 0
    }
  }
  try #require(isBound)
  return (descriptor, UInt16(bigEndian: address.sin_port))
}
