internal import Console
internal import Glibc

/// Where a service listens, from a URL such as `http://127.0.0.1:8787`; the path is `/v1/events` where none is given.
struct ServiceAddress {
  let host: String
  let port: String
  let path: String
  let authority: String

  init(_ url: String) throws(Failure) {
    let problem = Failure(
      "bad_url", "\(quoted(url)) is not the URL of a service", place: "--to",
      hints: ["write it like http://127.0.0.1:8787"], exit: .usage)
    guard url.hasPrefix("http://") else { throw problem }
    let rest = url.dropFirst(7)
    let authority = String(rest.prefix { $0 != "/" })
    self.authority = authority
    let path = rest.dropFirst(authority.count)
    self.path = path.isEmpty || path == "/" ? "/v1/events" : String(path)
    let colon = authority.last == "]" ? nil : authority.lastIndex(of: ":")
    let name = colon.map { authority[..<$0] } ?? authority[...]
    host = String(name.hasPrefix("[") ? name.dropFirst().dropLast() : name)
    port = colon.map { String(authority[authority.index(after: $0)...]) } ?? "80"
    guard !host.isEmpty, UInt16(port) != nil else { throw problem }
  }
}

/// What a service answered.
struct ServiceAnswer {
  var status: Int
  var retryAfter: Int?
  var closes: Bool
  /// The beginning of the body.
  var text: String
}

/// A TCP connection that is closed with its last owner.
final class Socket {
  private let descriptor: CInt
  private var received: [UInt8] = []

  init(to address: ServiceAddress) throws(Failure) {
    var hints = addrinfo()
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    defer { if let found { freeaddrinfo(found) } }
    guard getaddrinfo(address.host, address.port, &hints, &found) == 0 else { throw Self.unreachable(address) }
    var next = found
    while let place = next {
      let descriptor = socket(place.pointee.ai_family, place.pointee.ai_socktype | CInt(SOCK_CLOEXEC.rawValue), 0)
      if descriptor >= 0, connect(descriptor, place.pointee.ai_addr, place.pointee.ai_addrlen) == 0 {
        self.descriptor = descriptor
        configure()
        return
      }
      close(descriptor)
      next = place.pointee.ai_next
    }
    throw Self.unreachable(address)
  }

  deinit { close(descriptor) }

  private static func unreachable(_ address: ServiceAddress) -> Failure {
    Failure("unreachable", "cannot connect to \(address.authority)")
  }

  private func configure() {
    var (on, timeout) = (CInt(1), timeval(tv_sec: 30, tv_usec: 0))
    setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// Whether all bytes went out.
  func send(_ bytes: [UInt8]) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }

  /// The answer to the oldest request; nil when the connection broke or nothing came for half a minute.
  func answer() -> ServiceAnswer? {
    var end = headEnd()
    while end == nil {
      guard receive() else { return nil }
      end = headEnd()
    }
    guard let end else { return nil }
    let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
    let length = header("content-length", lines).flatMap { Int($0) } ?? 0
    while received.count < end + 4 + length { guard receive() else { return nil } }
    let body = received[(end + 4)..<(end + 4 + length)]
    let text = String(decoding: body.prefix(400), as: UTF8.self)
    received.removeFirst(end + 4 + length)
    return ServiceAnswer(
      status: status, retryAfter: header("retry-after", lines).flatMap { Int($0) }.map { min(max($0, 0), 60) },
      closes: header("connection", lines)?.lowercased() == "close", text: text)
  }

  private func headEnd() -> Int? {
    let mark = Array("\r\n\r\n".utf8)
    guard received.count >= 4 else { return nil }
    return (0...(received.count - 4)).first { received[$0] == mark[0] && received[$0..<($0 + 4)].elementsEqual(mark) }
  }

  private func header(_ name: String, _ lines: [Substring]) -> String? {
    for line in lines.dropFirst() where line.lowercased().hasPrefix(name + ":") {
      return String(line.dropFirst(name.count + 1).drop { $0 == " " })
    }
    return nil
  }

  private func receive() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      received += chunk[..<count]
      return true
    }
  }
}

extension Socket {
  /// The status with which a service answers a GET request.
  static func status(of url: String) throws -> Int? {
    let address = try ServiceAddress(url)
    let socket = try Socket(to: address)
    let request = "GET \(address.path) HTTP/1.1\r\nHost: \(address.authority)\r\nConnection: close\r\n\r\n"
    return socket.send(Array(request.utf8)) ? socket.answer()?.status : nil
  }
}
