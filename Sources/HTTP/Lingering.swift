import Glibc

/// Sockets that are done but for what the client still sends.
///
/// Closing a socket with unread bytes makes the kernel reset the connection, and the reset can overtake the answer. So
/// the answer's end is sent, and the rest is read and thrown away, for a while.
struct Lingering: ~Copyable {
  private struct Guest {
    var deadline: Int64
    var bytes: Int
  }
  private static let most = 256
  private static let milliseconds: Int64 = 3000
  private static let bytes = 64 << 20
  private var guests: [Int32: Guest] = [:]

  var isEmpty: Bool { guests.isEmpty }

  deinit { for descriptor in guests.keys { close(descriptor) } }

  /// A second descriptor of the same socket, whose sending side is closed; nil when there is no room for it.
  mutating func keep(_ descriptor: Int32, now: Int64) -> Int32? {
    guard guests.count < Self.most else { return nil }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    shutdown(copy, Int32(SHUT_WR))
    guests[copy] = Guest(deadline: now + Self.milliseconds, bytes: Self.bytes)
    return copy
  }

  mutating func read(_ descriptor: Int32) {
    guard guests[descriptor] != nil else { return }
    let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) {
      recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guests[descriptor]?.bytes -= count
    if count <= 0 || guests[descriptor].map({ $0.bytes < 0 }) == true { forget(descriptor) }
  }

  mutating func closeLate(now: Int64) {
    for (descriptor, guest) in guests where guest.deadline < now { forget(descriptor) }
  }

  private mutating func forget(_ descriptor: Int32) {
    guests[descriptor] = nil
    close(descriptor)
  }
}
