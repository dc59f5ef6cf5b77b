import CMicrohttpd
import Glibc

/// A listening socket, closed with its owner; a socket file that it made goes too.
struct Listener: ~Copyable, Sendable {
  let descriptor: Int32
  /// 0 where there are no ports.
  let port: UInt16
  private let ownedPath: String?

  /// Connections that the kernel completes before they are accepted.
  private static let backlog: Int32 = 4096

  init(_ address: ListenAddress) throws(ListenError) {
    let path: String?
    switch address {
    case .inherited(let inherited):
      descriptor = try Self.adopt(inherited, named: address)
      path = nil
    case .unix(let file):
      descriptor = try Self.open(address)
      path = file
    case .ipv4, .ipv6:
      descriptor = try Self.open(address)
      path = nil
    }
    ownedPath = path
    port = SocketAddress.local(of: descriptor).port
  }

  deinit {
    close(descriptor)
    if let ownedPath { unlink(ownedPath) }
  }

  private static func adopt(_ descriptor: Int32, named address: ListenAddress) throws(ListenError) -> Int32 {
    var listens: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens != 0 else {
      throw ListenError(address: address.description, reason: .badDescriptor)
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func open(_ address: ListenAddress) throws(ListenError) -> Int32 {
    let place = try SocketAddress(address)
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(place.family, kind, 0)
    guard descriptor >= 0 else { throw ListenError(address: address.description, reason: .system("socket")) }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    if case .unix(let path) = address { removeAbandoned(path, place) }
    guard place.withPointer({ bind(descriptor, $0, $1) }) == 0 else { throw failed("bind", descriptor, address) }
    // Whatever the user's mask is: also a proxy of the same group may connect.
    if case .unix(let path) = address { fchmodat(AT_FDCWD, path, 0o660, AT_SYMLINK_NOFOLLOW) }
    guard listen(descriptor, backlog) == 0 else { throw failed("listen", descriptor, address) }
    return descriptor
  }

  private static func failed(_ call: String, _ descriptor: Int32, _ address: ListenAddress) -> ListenError {
    let reason = ListenError.Reason.system(call)
    close(descriptor)
    return ListenError(address: address.description, reason: reason)
  }

  /// Removes the socket file of a server that is gone: nobody accepts there.
  private static func removeAbandoned(_ path: String, _ place: SocketAddress) {
    var file = stat()
    guard lstat(path, &file) == 0, file.st_mode & S_IFMT == S_IFSOCK else { return }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(probe) }
    if place.withPointer({ connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED { unlink(path) }
  }
}
