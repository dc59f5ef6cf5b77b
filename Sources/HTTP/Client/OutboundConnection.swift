import CGnuTLS
import Glibc

/// One connection to another program, in the clear or through TLS, that never waits past its deadline.
struct OutboundConnection: ~Copyable {
  let address: WebAddress
  private let descriptor: CInt
  /// For what is sent and received from now on.
  var deadline: Int64
  private let session: TLSSession?

  init(_ address: WebAddress, _ client: HTTPClient, deadline: Int64) throws(OutboundError) {
    let descriptor =
      if let path = client.socketPath { try connect(to: path, for: address) } else {
        try connect(address, deadline: deadline)
      }
    var session: TLSSession?
    if address.isSecure {
      do throws(OutboundError) {
        session = try TLSSession(
          descriptor, address, trustFile: client.trustFile, verifies: client.verifies, deadline: deadline)
      } catch {
        close(descriptor)
        throw error
      }
    }
    self.address = address
    self.descriptor = descriptor
    self.deadline = deadline
    self.session = session
  }

  deinit {
    session?.sayGoodbye()
    close(descriptor)
  }

  /// nil where all bytes went out, else why not.
  borrowing func sendAll(_ bytes: [UInt8]) -> OutboundError? {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { all in
        let rest = UnsafeRawBufferPointer(rebasing: all[offset...])
        return session?.send(rest)
          ?? Transfer(
            Glibc.send(descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL)), waitingFor: POLLOUT)
      }
      switch count {
      case .moved(let count): offset += count
      case .wait(let direction):
        if !isReady(descriptor, direction, until: deadline) {
          return OutboundError(.timedOut, address, "sending the request")
        }
      case .failed(let reason): return OutboundError(.broken, address, reason)
      case .ended: return OutboundError(.broken, address, "closed while the request was sent")
      }
    }
    return nil
  }

  /// The next bytes; none at the end. None are read after the deadline: a server that always has more would never be left.
  borrowing func receive() throws(OutboundError) -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while Clock.milliseconds() < deadline {
      let count = chunk.withUnsafeMutableBytes { room in
        session?.receive(room) ?? Transfer(recv(descriptor, room.baseAddress, room.count, 0), waitingFor: POLLIN)
      }
      switch count {
      case .moved(let count): return Array(chunk[..<count])
      case .wait(let direction): _ = isReady(descriptor, direction, until: deadline)
      case .failed(let reason): throw OutboundError(.broken, address, reason)
      case .ended: return []
      }
    }
    throw OutboundError(.timedOut, address, "waiting for the answer")
  }
}

/// How an attempt to move bytes ended.
enum Transfer {
  case moved(Int)
  /// Not now: poll for these events first.
  case wait(CInt)
  case ended
  case failed(String)

  /// What `send` or `recv` returned.
  init(_ count: Int, waitingFor direction: Int32) {
    if count > 0 {
      self = .moved(count)
    } else if count == 0 {
      self = .ended
    } else if errno == EAGAIN || errno == EINTR {
      // In this direction alone: a connection that waits to be read can nearly always be written to.
      self = .wait(CInt(direction))
    } else {
      self = .failed(String(cString: strerror(errno)))
    }
  }
}

/// False where the deadline passes first.
func isReady(_ descriptor: CInt, _ events: CInt, until deadline: Int64) -> Bool {
  while true {
    let left = deadline - Clock.milliseconds()
    guard left > 0 else { return false }
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    let ready = poll(&entry, 1, CInt(clamping: left))
    if ready > 0 { return true }
    if ready < 0, errno != EINTR { return true }
  }
}

/// A socket in the file system, which connects at once or not at all.
private func connect(to path: String, for address: WebAddress) throws(OutboundError) -> CInt {
  let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
  guard descriptor >= 0, let place = try? SocketAddress(.unix(path: path)),
    place.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0
  else {
    let reason = String(cString: strerror(errno))
    if descriptor >= 0 { close(descriptor) }
    throw OutboundError(.unreachable, address, "\(path): \(reason)")
  }
  return descriptor
}

/// A connected socket that does not block. Every address of the host is tried, while there is time.
private func connect(_ address: WebAddress, deadline: Int64) throws(OutboundError) -> CInt {
  var hints = addrinfo()
  hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
  var found: UnsafeMutablePointer<addrinfo>?
  defer { if let found { freeaddrinfo(found) } }
  let code = getaddrinfo(address.host, String(address.port), &hints, &found)
  guard code == 0 else { throw OutboundError(.unknownHost, address, String(cString: gai_strerror(code))) }
  var (next, reason) = (found, "it has no address")
  while let place = next?.pointee {
    next = place.ai_next
    let flags = CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(place.ai_family, place.ai_socktype | flags, 0)
    guard descriptor >= 0 else { continue }
    switch connected(descriptor, place, deadline: deadline) {
    case nil:
      var on = CInt(1)
      setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
      return descriptor
    case let why?: reason = why
    }
    close(descriptor)
    if Clock.milliseconds() >= deadline { throw OutboundError(.timedOut, address, "connecting") }
  }
  throw OutboundError(.unreachable, address, reason)
}

/// nil where the connection stands, else why not.
private func connected(_ descriptor: CInt, _ place: addrinfo, deadline: Int64) -> String? {
  if Glibc.connect(descriptor, place.ai_addr, place.ai_addrlen) == 0 { return nil }
  guard errno == EINPROGRESS else { return String(cString: strerror(errno)) }
  guard isReady(descriptor, CInt(POLLOUT), until: deadline) else { return "timed out" }
  var (failure, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
  getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
  return failure == 0 ? nil : String(cString: strerror(failure))
}
