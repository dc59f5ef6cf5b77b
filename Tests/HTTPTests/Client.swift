import Glibc

/// A plain socket to a server under test; reads give up after ten seconds.
final class Client: Sendable {
  let descriptor: Int32

  init(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    inet_pton(AF_INET, "127.0.0.1", &place.sin_addr)
    connect(to: place)
  }

  init(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
    connect(to: place)
  }

  init(ipv6Port port: UInt16) {
    descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_in6()
    place.sin6_family = sa_family_t(AF_INET6)
    place.sin6_port = port.bigEndian
    inet_pton(AF_INET6, "::1", &place.sin6_addr)
    connect(to: place)
  }

  deinit { close(descriptor) }

  private func connect<T>(to place: T) {
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    withUnsafePointer(to: place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<T>.size))
      }
    }
  }

  /// False when the server has closed its side.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// One answer; nil when the connection ended before it was whole.
  func receive(head: Bool = false) -> Answer? {
    var bytes: [UInt8] = []
    while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard let byte = receive(atMost: 1) else { return nil }
      bytes += byte
    }
    var answer = Answer(head: String(decoding: bytes, as: UTF8.self))
    let length = head ? 0 : answer.header("content-length").flatMap { Int($0) } ?? 0
    while answer.body.utf8.count < length {
      guard let more = receive(atMost: length - answer.body.utf8.count) else { return nil }
      answer.body += String(decoding: more, as: UTF8.self)
    }
    return answer
  }

  /// Nil at the end of the connection, however it ends.
  func receive(atMost limit: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &bytes, limit, 0)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  /// True when the server ends the connection, by an end or a reset, and not our patience.
  func isClosedByServer() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count == 0 { return true }
      if count < 0 { return errno != EAGAIN }
    }
  }

  func ask(_ text: String, head: Bool = false) -> Answer? {
    send(text)
    return receive(head: head)
  }
}

struct Answer {
  let status: Int
  private let lines: [Substring]
  var body = ""

  init(head: String) {
    lines = head.split(separator: "\r\n")
    status = lines.first.flatMap { Int($0.dropFirst(9).prefix(3)) } ?? 0
  }

  func header(_ name: String) -> String? {
    let prefix = name.lowercased() + ":"
    guard let line = lines.first(where: { $0.lowercased().hasPrefix(prefix) }) else { return nil }
    return String(line.dropFirst(prefix.count).drop { $0 == " " })
  }
}
