import Foundation
import Glibc
import Synchronization

/// A program on this machine that answers each connection with the bytes it is told to, also with what no decent server
/// sends: half an answer, or none.
final class Receiver: Sendable {
  enum Reply: Sendable {
    /// Written, then the connection ends.
    case bytes(String)
    /// Nothing, until the client gives up.
    case silence

    static func status(_ status: Int, _ headers: [String] = [], body: String = "{}") -> Reply {
      let lines = ["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)"] + headers
      return .bytes(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
  }

  let port: UInt16
  private let listener: CInt
  private final class ParsedRequest: Sendable { let all = Mutex<[String]>([]) }
  private let heard = ParsedRequest()

  /// - Parameter answer: to the request of that number, from 0 on.
  init(_ answer: @escaping @Sendable (_ number: Int, _ request: String) -> Reply) {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        _ = bind(listener, place, size)
        _ = listen(listener, 64)
        _ = getsockname(listener, place, &size)
      }
    }
    (self.listener, port) = (listener, UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [heard] in
      while case let peer = accept(listener, nil, nil), peer >= 0 {
        let request = Self.read(peer)
        let number = heard.all.withLock { heard in
          heard.append(request)
          return heard.count - 1
        }
        Self.reply(answer(number, request), to: peer)
      }
    }
  }

  deinit { close() }

  func close() { shutdown(listener, CInt(SHUT_RDWR)) }

  /// What was sent here, whole requests as they were written.
  var requests: [String] { heard.all.withLock { $0 } }
  var requestLines: [String] { requests.map { String($0.prefix { $0 != "\r\n" }) } }
  var url: String { "http://127.0.0.1:\(port)" }

  private static func reply(_ reply: Reply, to peer: CInt) {
    guard case .bytes(let text) = reply else { return }
    _ = text.withCString { send(peer, $0, strlen($0), CInt(MSG_NOSIGNAL)) }
    Glibc.close(peer)
  }

  /// Head and body, by its Content-Length.
  private static func read(_ peer: CInt) -> String {
    var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while !isWhole(bytes), case let count = recv(peer, &chunk, chunk.count, 0), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n") else { return false }
    let length = text[..<end.lowerBound].split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
    return text[end.upperBound...].utf8.count >= length.flatMap { Int($0.dropFirst(16)) } ?? 0
  }
}
