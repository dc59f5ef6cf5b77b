import HTTP
import Locks
import Testing

/// What a handler sees, and what a client gets back.
struct RequestTests {
  @Test func passesMethodPathAndBody() throws {
    let server = try serve()
    let client = Client(port: server.port)
    #expect(client.ask(post("/a%20b/c?x=1", "hello"))?.body == "POST /a b/c hello")
    #expect(client.ask(get("/next"))?.body == "GET /next ")
  }

  @Test(arguments: ["PUT", "DELETE", "PATCH", "BREW", "X-1"])
  func passesAnyMethod(_ method: String) throws {
    let server = try serve()
    let answer = Client(port: server.port).ask("\(method) /m HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
    #expect(answer?.body == "\(method) /m hi")
  }

  @Test func answersHeadWithoutABody() throws {
    let server = try serve()
    let client = Client(port: server.port)
    let answer = client.ask("HEAD /h HTTP/1.1\r\nHost: a\r\n\r\n", head: true)
    #expect(answer?.header("content-length") == "8")
    #expect(client.ask(get("/after"))?.body == "GET /after ")
  }

  @Test func readsChunkedBodiesHoweverTheyArrive() throws {
    let server = try serve()
    let client = Client(port: server.port)
    let chunked =
      "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;x=y\r\n!\r\n0\r\n\r\n"
    #expect(client.ask(chunked)?.body == "POST /c hello!")
    for byte in chunked.utf8 { client.send([byte]) }
    #expect(client.receive()?.body == "POST /c hello!")
  }

  @Test func invitesABodyThatWaits() throws {
    let server = try serve()
    let client = Client(port: server.port)
    client.send("POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    #expect(client.receive(head: true)?.status == 100)
    #expect(client.ask("ok")?.body == "POST /e ok")
  }

  @Test func closesAfterHTTP10UnlessAskedNotTo() throws {
    let server = try serve()
    let closing = Client(port: server.port)
    #expect(closing.ask("GET /old HTTP/1.0\r\n\r\n")?.body == "GET /old ")
    #expect(closing.isClosedByServer())
    let keeping = Client(port: server.port)
    for _ in 0..<2 {
      #expect(keeping.ask("GET /old HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")?.body == "GET /old ")
    }
  }

  @Test func answersPipelinedRequestsInOrder() throws {
    let server = try serve { request, responder in onAnotherThread { echo(request, responder) } }
    let client = Client(port: server.port)
    client.send((0..<20).map { post("/p\($0)", "\($0)") }.joined())
    for number in 0..<20 { #expect(client.receive()?.body == "POST /p\(number) \(number)") }
  }

  @Test func keepsTheNamedHeadersWithoutRegardToCase() throws {
    let seen = Lock<Headers?>(nil)
    let server = try serve({ $0.headers = ["X-Kept", "Content-Type"] }) { request, responder in
      seen.withLock { $0 = request.headers }
      responder.respond(Response(status: 204))
    }
    let answer = Client(port: server.port).ask(get("/", "x-KEPT:  one ", "X-Other: no", "X-Kept: two"))
    let headers = try #require(seen.withLock { $0 })
    #expect(answer?.status == 204)
    #expect(headers["x-kept"] == "one")
    #expect(headers.all("X-KEPT") == ["one", "two"])
    #expect(headers["x-other"] == nil)
    #expect(headers["content-type"] == nil)
  }

  @Test func leavesRoomPastTheBody() throws {
    let capacities = Lock<[(Int, Int)]>([])
    let server = try serve { request, responder in
      capacities.withLock { $0.append((request.body.count, request.body.capacity)) }
      responder.respond(.text(request.peer))
    }
    let client = Client(port: server.port)
    for size in [0, 1, 63, 64, 65, 4095, 4096, 100_000] {
      #expect(client.ask(post("/", String(repeating: "x", count: size)))?.body == "127.0.0.1")
    }
    for (count, capacity) in capacities.withLock({ $0 }) { #expect(capacity >= count + Request.bodySlack) }
    #expect(capacities.withLock { $0.last?.0 } == 100_000)
  }

  @Test func observesEveryRequest() throws {
    let seen = Lock<[Observation]>([])
    let server = try serve({ $0.observe = { observation in seen.withLock { $0.append(observation) } } })
    let client = Client(port: server.port)
    _ = client.ask(post("/o?q", "four"))
    _ = client.ask(get("/%zz"))
    #expect(eventually { seen.withLock { $0.count } == 2 })
    let all = seen.withLock { $0 }
    #expect(all.map(\.target) == ["/o?q", "/%zz"])
    #expect(all.map(\.status) == [200, 400])
    #expect(all.map(\.requestBytes) == [4, 0])
    #expect(all.first?.responseBytes == "POST /o four".utf8.count)
    #expect(server.statistics.inFlight == 0)
  }

  /// A thread says so each time before it waits for clients: after the answer that was under way.
  @Test func saysThatNothingIsToDo() throws {
    let pauses = Lock(0)
    let server = try serve({
      $0.threads = 1
      $0.pause = { pauses.withLock { $0 += 1 } }
    })
    #expect(eventually { pauses.withLock { $0 } > 0 })
    let client = Client(port: server.port)
    for turn in 1...3 {
      let before = pauses.withLock { $0 }
      _ = client.ask(post("/o", "four"))
      #expect(eventually { pauses.withLock { $0 } > before }, "\(turn)")
    }
  }
}
