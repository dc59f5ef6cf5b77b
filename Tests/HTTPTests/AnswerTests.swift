import Glibc
import HTTP
import Locks
import Testing

/// Answers that come late, from elsewhere, twice or never.
struct AnswerTests {
  @Test func answersFromOtherThreadsInAnyOrder() throws {
    let waiting = Lock<[(Request, Responder)]>([])
    let server = try serve { request, responder in waiting.withLock { $0.append((request, responder)) } }
    let clients = (0..<50).map { _ in Client(port: server.port) }
    for (number, client) in clients.enumerated() { client.send(get("/\(number)")) }
    #expect(eventually { waiting.withLock { $0.count } == 50 })
    #expect(server.statistics.inFlight == 50)
    onAnotherThread {
      let all = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for (request, responder) in all.reversed() { echo(request, responder) }
    }
    for (number, client) in clients.enumerated() { #expect(client.receive()?.body == "GET /\(number) ") }
  }

  @Test func answers500ForADroppedResponder() throws {
    let server = try serve { request, responder in
      if request.path == "/later" { onAnotherThread { [responder] in _ = responder } }
    }
    let client = Client(port: server.port)
    for path in ["/now", "/later", "/now"] {
      let answer = client.ask(get(path))
      #expect(answer?.status == 500)
      #expect(answer?.body == #"{"error":{"code":"unanswered","message":"the server did not answer this request"}}"#)
    }
  }

  @Test func ignoresASecondAnswer() throws {
    let server = try serve { _, responder in
      responder.respond(.text("first"))
      responder.respond(.text("second"))
    }
    let client = Client(port: server.port)
    for _ in 0..<3 { #expect(client.ask(get("/"))?.body == "first") }
  }

  @Test func survivesClientsThatLeaveBeforeTheAnswer() throws {
    let waiting = Lock<[Responder]>([])
    let server = try serve { _, responder in waiting.withLock { $0.append(responder) } }
    for _ in 0..<20 { Client(port: server.port).send(get("/gone")) }
    #expect(eventually { waiting.withLock { $0.count } == 20 })
    waiting.withLock { $0 = [] }
    #expect(eventually { server.statistics.connections == 0 && server.statistics.inFlight == 0 })
  }

  @Test func sendsLargeAnswersWhole() throws {
    let body = String(repeating: "0123456789abcdef", count: 1 << 18)
    let server = try serve { _, responder in onAnotherThread { responder.respond(.text(body)) } }
    #expect(Client(port: server.port).ask(get("/"))?.body == body)
  }

  @Test func refusesToSplitAnAnswerByAHeader() throws {
    let server = try serve { _, responder in responder.respond(Response.text("x").with("X-A", "b\r\nX-C: d")) }
    let answer = Client(port: server.port).ask(get("/"))
    #expect(answer?.status == 200)
    #expect(answer?.header("x-c") == nil)
  }
}
