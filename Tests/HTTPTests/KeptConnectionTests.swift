import Glibc
import HTTP
import Synchronization
import Testing

/// Request after request over one connection.
struct KeptConnectionTests {
  private func request(_ server: HTTPServer, _ path: String) throws -> OutboundRequest {
    let address = try #require(WebAddress("http://127.0.0.1:\(server.port)\(path)"))
    return OutboundRequest("POST", address, body: Array("hello".utf8))
  }

  @Test func manyRequestsShareIt() throws {
    let server = try serve()
    let connection = KeptConnection(HTTPClient(userAgent: "test/1"))
    for number in 0..<100 {
      try connection.send(request(server, "/\(number)"))
      #expect(connection.answer()?.text == "POST /\(number) hello")
    }
    #expect(server.statistics.accepted == 1)
  }

  @Test func isOpenedAnewWhereTheServerClosed() throws {
    let server = try serve { request, responder in
      responder.respond(Response(headers: [("Connection", "close")], body: Array("bye".utf8)))
    }
    let connection = KeptConnection(HTTPClient(userAgent: "test/1"))
    for _ in 0..<3 {
      try connection.send(request(server, "/"))
      #expect(connection.answer()?.text == "bye")
    }
    #expect(server.statistics.accepted == 3)
  }

  /// The thread was busy with others until after the deadline.
  @Test func anAnswerThatLiesThereIsTaken() throws {
    let answered = Atomic(0)
    let server = try serve { request, responder in
      echo(request, responder)
      answered.add(1, ordering: .relaxed)
    }
    let connection = KeptConnection(HTTPClient(userAgent: "test/1", timeout: .milliseconds(500)))
    try connection.send(request(server, "/late"))
    usleep(700_000)
    // On a busy machine the server takes its time, too.
    #expect(eventually { answered.load(ordering: .relaxed) == 1 })
    #expect(connection.answer()?.text == "POST /late hello")
  }

  @Test func withoutARequestThereIsNoAnswer() throws {
    let connection = KeptConnection(HTTPClient(userAgent: "test/1"))
    #expect(connection.answer() == nil)
    let nowhere = try #require(WebAddress("http://127.0.0.1:1"))
    #expect(throws: OutboundError.self) { try connection.send(OutboundRequest("POST", nowhere)) }
    #expect(connection.answer() == nil)
  }
}
