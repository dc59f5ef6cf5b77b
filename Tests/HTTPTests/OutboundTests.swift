import Foundation
import Glibc
import HTTP
import Testing

/// Requests that this program makes of others.
struct OutboundTests {
  private func address(_ server: HTTPServer, _ path: String = "/") throws -> WebAddress {
    try #require(WebAddress("http://127.0.0.1:\(server.port)\(path)"))
  }

  static let addresses: [(text: String, says: String?)] = [
    ("https://example.com", "https://example.com/"), ("HTTPS://example.com:443/a?b=c", "https://example.com/a?b=c"),
    ("http://example.com:8080", "http://example.com:8080/"), ("http://[::1]:80/x", "http://[::1]/x"),
    ("https://example.com?q", "https://example.com/?q"), ("ftp://example.com", nil), ("example.com", nil),
    ("https://", nil), ("https://user:word@example.com", nil), ("https://example.com/#here", nil),
    ("https://example.com:0", nil), ("https://example.com:99999", nil), ("https://a b", nil), ("https://[::1", nil),
    ("https://example.com/\r\nX: y", nil), ("https://::1/", nil),
  ]

  @Test(arguments: addresses) func readsAddressesStrictly(_ row: (text: String, says: String?)) {
    #expect(WebAddress(row.text)?.description == row.says)
  }

  @Test func sendsAndReceives() throws {
    let server = try serve()
    let answer = try HTTPClient(userAgent: "test/1").send(
      OutboundRequest("POST", address(server, "/a?b=c"), headers: [("X-One", "1")], body: Array("hello".utf8)))
    #expect((answer.status, answer.text, answer.isWhole) == (200, "POST /a hello", true))
    #expect(answer["Content-Type"]?.hasPrefix("text/plain") == true)
  }

  @Test func aHeaderCannotBecomeTwo() throws {
    let server = try serve {
      $0.headers += ["x-one", "x-two"]
    } handler: { request, responder in
      responder.respond(.text("\(request.headers["x-one"] ?? "-") \(request.headers["x-two"] ?? "-")"))
    }
    let answer = try HTTPClient(userAgent: "test/1").send(
      OutboundRequest("GET", address(server), headers: [("X-One", "1\r\nX-Two: 2")]))
    #expect(answer.text == "1X-Two: 2 -")
  }

  @Test func unpackedByAnother() throws {
    let packed = gzip(Array(repeating: 65, count: 100_000))
    #expect(packed.count < 1000)
    #expect(packed == gzip(Array(repeating: 65, count: 100_000)))
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(packed).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "gzip -dc < \(file.path)"]
    process.standardOutput = output
    try process.run()
    #expect(output.fileHandleForReading.readDataToEndOfFile() == Data(repeating: 65, count: 100_000))
  }

  /// What a server may say, byte for byte, and what is understood of it.
  static let answers: [(bytes: String, says: String)] = [
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokmore", "200 ok true"),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n", "201  true"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "200 abcde true"),
    ("HTTP/1.0 200 OK\n\nto the end", "200 to the end true"), ("HTTP/1.1 204 No Content\r\n\r\n", "204  true"),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n" + String(repeating: "x", count: 100), "200 xxxxxxxxxxxx false"
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n" + String(repeating: "x", count: 100),
      "200 xxxxxxxxxxxx false"
    ),
    ("HTTP/1.1 302 Found\r\nLocation: http://elsewhere/\r\nContent-Length: 0\r\n\r\n", "redirected"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", "broken"), ("", "broken"),
    ("SSH-2.0-OpenSSH_9.2\r\n", "notHTTP"), ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "notHTTP"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "notHTTP"),
    ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 200_000), "notHTTP"),
  ]

  @Test(arguments: answers) func understandsAnswers(_ row: (bytes: String, says: String)) throws {
    let listener = try RawListener(answer: row.bytes)
    var client = HTTPClient(userAgent: "test/1", timeout: .seconds(20))
    client.maxAnswerBytes = 12
    let address = try #require(WebAddress("http://127.0.0.1:\(listener.port)"))
    let said: String
    do {
      let answer = try client.send(OutboundRequest("GET", address))
      said = "\(answer.status) \(answer.text) \(answer.isWhole)"
    } catch { said = "\(error.kind)" }
    #expect(said == row.says)
  }

  @Test func givesUpInTime() throws {
    let listener = try RawListener(answer: nil)
    let client = HTTPClient(userAgent: "test/1", timeout: .milliseconds(300))
    let address = try #require(WebAddress("http://127.0.0.1:\(listener.port)"))
    let error = #expect(throws: OutboundError.self) {
      try client.send(OutboundRequest("POST", address, body: [UInt8](repeating: 0, count: 30_000_000)))
    }
    #expect(error?.kind == .timedOut)
  }

  /// Whoever waits for an answer sleeps.
  @Test func waitingTakesNoProcessorTime() throws {
    let listener = try RawListener(answer: nil)
    let client = HTTPClient(userAgent: "test/1", timeout: .milliseconds(400))
    let address = try #require(WebAddress("http://127.0.0.1:\(listener.port)"))
    let begin = processorTime()
    #expect(throws: OutboundError.self) { try client.send(OutboundRequest("GET", address)) }
    #expect(processorTime() - begin < 100_000_000)
  }

  /// Of this thread.
  private func processorTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  @Test func saysThatNobodyListens() throws {
    let address = try #require(WebAddress("http://127.0.0.1:\(try RawListener(answer: nil).port)"))
    let error = #expect(throws: OutboundError.self) {
      try HTTPClient(userAgent: "test/1").send(OutboundRequest("GET", address))
    }
    #expect(error?.kind == .unreachable && error?.isInDoubt == false)
  }
}

/// A socket that reads nothing and says what it was told to; nil is nothing at all, for ever.
private final class RawListener: Sendable {
  let port: UInt16
  private let descriptor: Int32

  init(answer: String?) throws {
    let listener: CInt
    (listener, port) = try listenOnLoopback()
    descriptor = listener
    guard let answer else { return }
    onAnotherThread {
      let connection = accept(listener, nil, nil)
      var request = [UInt8](repeating: 0, count: 65_536)
      _ = recv(connection, &request, request.count, 0)
      let bytes = Array(answer.utf8)
      _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      shutdown(connection, Int32(SHUT_WR))
      while recv(connection, &request, request.count, 0) > 0 {}
      close(connection)
    }
  }

  deinit { close(descriptor) }
}
