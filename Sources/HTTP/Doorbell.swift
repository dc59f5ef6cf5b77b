import CMicrohttpd
import Glibc

/// Wakes a thread that waits for descriptors.
struct Doorbell: ~Copyable, Sendable {
  let descriptor: Int32

  init() throws(ListenError) {
    descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
    if descriptor < 0 { throw ListenError(address: "eventfd", reason: .system("eventfd")) }
  }

  deinit { close(descriptor) }

  func ring() {
    var one: UInt64 = 1
    write(descriptor, &one, 8)
  }

  func answer() {
    var count: UInt64 = 0
    read(descriptor, &count, 8)
  }
}

extension ListenError.Reason {
  /// What `errno` says now.
  static func system(_ call: String) -> ListenError.Reason {
    let number = errno
    switch number {
    case EADDRINUSE: return .inUse
    case EACCES, EPERM: return .notPermitted
    case EADDRNOTAVAIL: return .notHere
    default: return .system(call: call, errno: number, message: String(cString: strerror(number)))
    }
  }
}
