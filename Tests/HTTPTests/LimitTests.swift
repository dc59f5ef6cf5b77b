import Glibc
import HTTP
import Testing

/// Sizes and counts that a server refuses.
struct LimitTests {
  static let tooLarge = #"{"error":{"code":"body_too_large","message":"the body is larger than 1000 bytes"}}"#

  @Test func takesABodyOfExactlyTheLimit() throws {
    let server = try serve { $0.maxBodyBytes = 1000 }
    let client = Client(port: server.port)
    let body = String(repeating: "x", count: 1000)
    #expect(client.ask(post("/", body))?.status == 200)
    let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n\(body)\r\n0\r\n\r\n"
    #expect(client.ask(chunked)?.status == 200)
  }

  @Test func refusesALongBodyBeforeItIsSent() throws {
    let server = try serve { $0.maxBodyBytes = 1000 }
    let client = Client(port: server.port)
    let answer = client.ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n")
    #expect(answer?.status == 413)
    #expect(answer?.body == Self.tooLarge)
    #expect(client.isClosedByServer())
  }

  @Test func doesNotInviteABodyThatIsTooLong() throws {
    let server = try serve { $0.maxBodyBytes = 1000 }
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n"
    #expect(Client(port: server.port).ask(head)?.status == 413)
  }

  /// The client sends everything before it reads: a reset would take the answer away.
  @Test func letsTheClientReadTheRefusalOfALongBody() throws {
    let server = try serve { $0.maxBodyBytes = 1000 }
    let client = Client(port: server.port)
    #expect(client.send(post("/", String(repeating: "x", count: 8 << 20))))
    let answer = client.receive()
    #expect(answer?.status == 413)
    #expect(answer?.body == Self.tooLarge)
  }

  @Test func refusesAChunkedBodyWhenItPassesTheLimit() throws {
    let server = try serve { $0.maxBodyBytes = 1000 }
    let client = Client(port: server.port)
    let chunk = "1f4\r\n" + String(repeating: "x", count: 500) + "\r\n"
    client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk + chunk)
    #expect(client.receive()?.body == Self.tooLarge)
    client.send(String(repeating: chunk, count: 1000))
    #expect(client.isClosedByServer())
  }

  @Test func refusesLongHeaders() throws {
    let server = try serve { $0.maxHeaderBytes = 4096 }
    let client = Client(port: server.port)
    #expect(client.ask(get("/", "X-Long: " + String(repeating: "x", count: 3900)))?.status == 200)
    let answer = client.ask(get("/", "X-Long: " + String(repeating: "x", count: 4096)))
    #expect(answer?.status == 431)
    #expect(answer?.body == #"{"error":{"code":"head_too_large","message":"the headers are larger than 4096 bytes"}}"#)
    #expect(Client(port: server.port).ask(get("/", "X-Long: " + String(repeating: "x", count: 1 << 20)))?.status == 431)
    #expect(Client(port: server.port).ask(get("/" + String(repeating: "x", count: 1 << 20)))?.status == 414)
  }

  /// In the memory of a connection a head may leave no room for the head of an answer.
  @Test func answersHeadsThatFillTheMemory() throws {
    let server = try serve()
    for size in stride(from: 15 << 10, to: 21 << 10, by: 61) {
      let status = Client(port: server.port).ask(get("/", "X-Long: " + String(repeating: "x", count: size)))?.status
      #expect(status == (size < 16_300 ? 200 : 431) || (16_300..<16_400).contains(size), "\(size)")
    }
    let headers = { (count: Int) in (0..<count).map { "X-\($0): 1\r\n" }.joined() }
    for count in stride(from: 200, to: 300, by: 1) {
      let status = Client(port: server.port).ask("GET / HTTP/1.1\r\nHost: a\r\n\(headers(count))\r\n")?.status
      #expect(status == 200 || status == 431, "\(count)")
    }
  }

  /// Nobody but the handler reads them: libmicrohttpd took memory for each, and never answered where there was none left.
  @Test func takesQueriesOfManyItems() throws {
    let server = try serve { request, responder in responder.respond(.text("\(request.target.queryItems.count)")) }
    let items = (0..<2000).map { "a\($0)" }.joined(separator: "&")
    #expect(Client(port: server.port).ask(get("/q?" + items))?.body == "2000")
  }

  @Test func letsTheCallerDecideBeforeTheBody() throws {
    let server = try serve {
      $0.admit = { request in
        switch request.path {
        case "/small": .body(limit: 3)
        case "/closed": .refuse(.error(401, code: "no_key", "a key is needed"))
        default: .body(limit: 100)
        }
      }
    }
    let client = Client(port: server.port)
    #expect(client.ask(post("/closed", "a body that is read and forgotten"))?.status == 401)
    #expect(client.ask(get("/closed"))?.body == #"{"error":{"code":"no_key","message":"a key is needed"}}"#)
    #expect(client.ask(post("/large", "12345"))?.body == "POST /large 12345")
    #expect(client.ask("POST /small HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n")?.status == 413)
    let waiting = Client(port: server.port)
    let head = "POST /closed HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
    #expect(waiting.ask(head)?.status == 401)
  }

  @Test func limitsConnectionsPerAddress() throws {
    let server = try serve { $0.maxConnectionsPerAddress = 3 }
    let clients = (0..<3).map { _ in Client(port: server.port) }
    for client in clients { #expect(client.ask(get("/"))?.status == 200) }
    let answer = Client(port: server.port).receive()
    #expect(answer?.status == 429)
    #expect(answer?.header("retry-after") == "5")
    #expect(server.statistics.turnedAway == 1)
    shutdown(clients[0].descriptor, Int32(SHUT_RDWR))
    #expect(eventually { server.statistics.connections == 2 })
    #expect(Client(port: server.port).ask(get("/"))?.status == 200)
  }

  @Test func letsClientsWaitWhenAllConnectionsAreTaken() throws {
    let server = try serve { $0.maxConnections = 2 }
    let first = Client(port: server.port)
    let second = Client(port: server.port)
    #expect(first.ask(get("/"))?.status == 200)
    #expect(second.ask(get("/"))?.status == 200)
    let third = Client(port: server.port)
    third.send(get("/third"))
    usleep(50_000)
    #expect(server.statistics.connections == 2)
    shutdown(first.descriptor, Int32(SHUT_RDWR))
    #expect(third.receive()?.body == "GET /third ")
  }
}
