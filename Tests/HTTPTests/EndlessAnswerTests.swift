import Glibc
import HTTP
import Testing

/// Servers that always have something to say and never come to an end: whoever waits for them goes in time.
struct EndlessAnswerTests {
  /// Faster than they are read, so that there is always something to read.
  @Test(arguments: [
    ("", "HTTP/1.1 100 Continue\r\n\r\n"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1;\(String(repeating: "x", count: 1000))\r\na\r\n"),
  ])
  func isLeftAtTheDeadline(_ start: String, _ again: String) throws {
    let server = try EndlessServer(start, again, pause: 0)
    #expect(try failure(of: server)?.kind == .timedOut)
  }

  /// Slowly, a byte at a time.
  @Test func aTrickleIsLeftAtTheDeadline() throws {
    let server = try EndlessServer("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "x", pause: 5000)
    #expect(try failure(of: server)?.kind == .timedOut)
  }

  private func failure(of server: EndlessServer) throws -> OutboundError? {
    let client = HTTPClient(userAgent: "test/1", timeout: .milliseconds(300))
    let address = try #require(WebAddress("http://127.0.0.1:\(server.port)"))
    let begin = ContinuousClock.now
    let error = #expect(throws: OutboundError.self) { try client.send(OutboundRequest("GET", address)) }
    #expect(ContinuousClock.now - begin < .seconds(5 * patience))
    return error
  }
}

/// A socket that says the same again and again to whoever comes first, for ten seconds.
private struct EndlessServer {
  let port: UInt16

  /// - Parameter pause: microseconds between one and the next.
  init(_ start: String, _ again: String, pause: UInt32) throws {
    let listener: CInt
    (listener, port) = try listenOnLoopback()
    let bytes = Array((pause > 0 ? again : String(repeating: again, count: 100)).utf8)
    onAnotherThread {
      defer { close(listener) }
      let connection = accept(listener, nil, nil)
      defer { close(connection) }
      send(connection, start, start.utf8.count, Int32(MSG_NOSIGNAL))
      let end = ContinuousClock.now + .seconds(10)
      while ContinuousClock.now < end, send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) > 0 { usleep(pause) }
    }
  }
}
