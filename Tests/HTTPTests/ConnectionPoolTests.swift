import Glibc
import HTTP
import Synchronization
import Testing

/// Requests of many threads over few connections.
struct ConnectionPoolTests {
  private func request(_ port: UInt16, _ path: String = "/") throws -> OutboundRequest {
    OutboundRequest("POST", try #require(WebAddress("http://127.0.0.1:\(port)\(path)")), body: Array("hello".utf8))
  }

  @Test func oneConnectionForOneAfterTheOther() throws {
    let server = try serve()
    let pool = ConnectionPool(HTTPClient(userAgent: "test/1"))
    for number in 0..<100 {
      #expect(try pool.send(request(server.port, "/\(number)")).text == "POST /\(number) hello")
    }
    #expect(server.statistics.accepted == 1)
  }

  @Test func threadsGetTheirOwnAnswers() throws {
    let server = try serve()
    let pool = ConnectionPool(HTTPClient(userAgent: "test/1"))
    let right = Atomic(0)
    let ended = Atomic(0)
    let port = server.port
    for thread in 0..<8 {
      onAnotherThread {
        for number in 0..<50 {
          let path = "/\(thread)/\(number)"
          let address = WebAddress("http://127.0.0.1:\(port)\(path)")
          let answer = address.flatMap { try? pool.send(OutboundRequest("POST", $0)) }
          if answer?.text == "POST \(path) " { right.add(1, ordering: .relaxed) }
        }
        ended.add(1, ordering: .relaxed)
      }
    }
    #expect(eventually { ended.load(ordering: .relaxed) == 8 })
    #expect(right.load(ordering: .relaxed) == 400)
    #expect(server.statistics.accepted <= 8)
  }

  /// ClickHouse answers in chunks, and closes connections that were idle for some seconds.
  @Test(arguments: [1, 2, 5]) func chunksAndServersThatCloseSilently(_ answersBeforeClosing: Int) throws {
    let server = try ChunkingServer(answers: answersBeforeClosing)
    let pool = ConnectionPool(HTTPClient(userAgent: "test/1", timeout: .seconds(5)))
    for number in 1...10 {
      #expect(try pool.send(request(server.port)).text == "abcde")
      // Until the server's end is known to this one.
      #expect(eventually { server.closed.load(ordering: .relaxed) == number / answersBeforeClosing })
      usleep(5000)
    }
    #expect(server.accepted.load(ordering: .relaxed) == 10 / answersBeforeClosing)
  }

  /// The kernel accepts, and nobody answers.
  @Test func aSilentServerIsGivenUpSoonWhereAsked() throws {
    let (descriptor, port) = try listenOnLoopback()
    defer { close(descriptor) }
    let pool = ConnectionPool(HTTPClient(userAgent: "test/1", timeout: .seconds(300)))
    let error = #expect(throws: OutboundError.self) {
      _ = try pool.send(request(port), within: .milliseconds(100))
    }
    #expect(error?.kind == .timedOut)
  }

  @Test func nobodyThere() throws {
    let pool = ConnectionPool(HTTPClient(userAgent: "test/1"))
    #expect(throws: OutboundError.self) { try pool.send(request(1)) }
  }
}

/// Answers every request in two chunks, and closes each connection after some answers without a word. Lasts as long as the
/// tests.
private final class ChunkingServer: Sendable {
  let port: UInt16
  let accepted = Atomic(0)
  let closed = Atomic(0)

  init(answers: Int) throws {
    let descriptor: CInt
    (descriptor, port) = try listenOnLoopback()
    onAnotherThread { [self] in
      while case let connection = accept(descriptor, nil, nil), connection >= 0 {
        accepted.add(1, ordering: .relaxed)
        for _ in 0..<answers where readRequest(connection) { answer(connection) }
        close(connection)
        closed.add(1, ordering: .relaxed)
      }
    }
  }

  /// Up to the body that all send.
  private func readRequest(_ connection: CInt) -> Bool {
    var (text, room) = ("", [UInt8](repeating: 0, count: 4096))
    while !text.hasSuffix("hello") {
      let count = recv(connection, &room, room.count, 0)
      guard count > 0 else { return false }
      text += String(decoding: room[..<count], as: UTF8.self)
    }
    return true
  }

  private func answer(_ connection: CInt) {
    let bytes = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n".utf8)
    _ = send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL))
  }
}
