import Glibc

/// One client's socket, from accept to close.
///
/// The constants and the deadline are shared between its worker, which serves it, and the keeper, which ends it when it
/// is late. The variables are touched by the worker's thread alone; that is the proof behind `nonisolated(unsafe)`.
final class Connection: Sendable {
  let descriptor: Int32
  let peer: String
  /// Nil for sockets in the file system.
  let address: ClientAddress?
  let isPlain: Bool
  let deadline = Deadline()
  nonisolated(unsafe) var exchange: Exchange?
  /// Whether unread bytes are worth reading before the socket closes, so that the client can read the answer.
  nonisolated(unsafe) var lingers = false

  init(descriptor: Int32, address: SocketAddress, isPlain: Bool) {
    self.descriptor = descriptor
    self.peer = address.host
    self.address = address.client
    self.isPlain = isPlain
  }

  var crowd: UInt64? { address?.crowd }

  /// Answers past libmicrohttpd: only where it is not answering itself, and without TLS.
  func sendDirectly(_ refusal: UnhandledRequest) {
    let message = refusal.message
    send(descriptor, message, message.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
  }

  /// Ends the connection from any thread; its worker notices and closes it.
  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  var hasUnreadBytes: Bool {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
  }
}
