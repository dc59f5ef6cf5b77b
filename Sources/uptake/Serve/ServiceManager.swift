internal import Console
internal import Glibc
internal import HTTP

/// What a service manager gives to a service, and asks of it: a socket that listens already (sd_listen_fds(3)), and a place that
/// is told how the service stands (sd_notify(3)). Where there is no service manager, both are nothing.
struct ServiceManager {
  enum State {
    /// Requests are answered from now on; the text is what `systemctl status` shows.
    case ready(String)
    case reloading
    case stopping
  }

  private let environment: [String: String]

  init(_ environment: [String: String]) { self.environment = environment }

  /// The socket that was passed to this very process; a child that inherited the variables has none.
  func socket() throws(Failure) -> ListenAddress? {
    guard environment["LISTEN_PID"] == String(getpid()), let text = environment["LISTEN_FDS"], let count = Int(text),
      count > 0
    else { return nil }
    guard count == 1 else {
      throw Failure(
        "too_many_sockets", "the service manager passes \(count) sockets, and a service listens on one",
        place: "LISTEN_FDS", hints: ["write one ListenStream= in the socket unit"], exit: .usage)
    }
    return .inherited(descriptor: 3)
  }

  /// Lost where nobody listens: a service does not end because its manager is deaf.
  func tell(_ state: State) {
    guard let path = environment["NOTIFY_SOCKET"], var place = Self.address(path) else { return }
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let text = Array(Self.message(state).utf8)
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
    _ = withUnsafePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }

  private static func message(_ state: State) -> String {
    switch state {
    case .ready(let words): "READY=1\nSTATUS=\(words)"
    case .reloading: "RELOADING=1\nSTATUS=reading keys and certificate again"
    case .stopping: "STOPPING=1\nSTATUS=answering what is under way"
    }
  }

  /// A path, or behind `@` a name of Linux' abstract namespace; nil where it does not fit.
  private static func address(_ path: String) -> sockaddr_un? {
    guard path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count < 108 else { return nil }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { bytes in
      bytes.copyBytes(from: path.utf8)
      if path.hasPrefix("@") { bytes[0] = 0 }
    }
    return place
  }
}
