import CMicrohttpd
import Glibc

/// Waits for any of some descriptors to become readable.
struct EventQueue: ~Copyable {
  private let descriptor: Int32

  init() throws(ListenError) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    if descriptor < 0 { throw ListenError(address: "epoll", reason: .system("epoll_create1")) }
  }

  deinit { close(descriptor) }

  /// Until it is closed.
  func add(_ other: Int32) {
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: other))
    epoll_ctl(descriptor, EPOLL_CTL_ADD, other, &event)
  }

  /// The descriptors that are ready; -1 waits without end.
  func wait(milliseconds: Int32) -> [Int32] {
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
      let count = epoll_wait(descriptor, events.baseAddress, 64, milliseconds)
      return count <= 0 ? [] : events[..<Int(count)].map { $0.data.fd }
    }
  }
}
