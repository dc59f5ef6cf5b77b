import Glibc
import HTTP
import Testing

/// Clients that take their time. The limits are of 300 milliseconds so that the tests are quick.
struct TimeoutTests {
  static let short = Duration.milliseconds(300)

  /// Sends a byte every 20 milliseconds until the server closes or answers; false where it did neither within ten seconds.
  func drip(_ client: Client) -> Bool {
    for _ in 0..<500 {
      guard client.send("x") else { return true }
      var byte: UInt8 = 0
      let count = recv(client.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
      if count >= 0 || errno != EAGAIN { return true }
      usleep(20_000)
    }
    return false
  }

  /// Not before the limit, and soon after it: measured from before the server's clock began, as this thread may have to wait.
  private func expectInTime(since begin: ContinuousClock.Instant) {
    let time = ContinuousClock.now - begin
    #expect(time > .milliseconds(250) && time < .seconds(9) * patience)
  }

  @Test func endsSilentConnections() throws {
    let server = try serve { $0.headerTimeout = Self.short }
    let begin = ContinuousClock.now
    let client = Client(port: server.port)
    #expect(client.isClosedByServer())
    expectInTime(since: begin)
    #expect(eventually { server.statistics.timedOut == 1 })
  }

  @Test(arguments: ["GET /", "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "])
  func endsHeadersThatDrip(_ start: String) throws {
    let server = try serve { $0.headerTimeout = Self.short }
    let begin = ContinuousClock.now
    let client = Client(port: server.port)
    client.send(start)
    #expect(drip(client))
    expectInTime(since: begin)
  }

  @Test(arguments: ["Content-Length: 1000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3e8\r\n"])
  func endsBodiesThatDrip(_ start: String) throws {
    let server = try serve { $0.bodyTimeout = Self.short }
    let begin = ContinuousClock.now
    let client = Client(port: server.port)
    client.send("POST / HTTP/1.1\r\nHost: a\r\n" + start)
    #expect(drip(client))
    expectInTime(since: begin)
    #expect(client.receive()?.status == 408)
    #expect(client.isClosedByServer())
    #expect(eventually { server.statistics.inFlight == 0 })
  }

  @Test func endsIdleConnections() throws {
    let server = try serve { $0.idleTimeout = Self.short }
    let client = Client(port: server.port)
    let begin = ContinuousClock.now
    #expect(client.ask(get("/"))?.status == 200)
    #expect(client.isClosedByServer())
    expectInTime(since: begin)
  }

  @Test func endsClientsThatDoNotRead() throws {
    let body = String(repeating: "x", count: 32 << 20)
    let server = try serve({ $0.sendTimeout = Self.short }) { _, responder in responder.respond(.text(body)) }
    let client = Client(port: server.port)
    client.send(get("/"))
    #expect(eventually { server.statistics.timedOut == 1 && server.statistics.connections == 0 })
  }

  /// A second, as the client may be kept from sending its request for a while.
  @Test func waitsForHandlersLongerThanForClients() throws {
    let second = Duration.seconds(1)
    let server = try serve({
      ($0.headerTimeout, $0.bodyTimeout, $0.idleTimeout, $0.sendTimeout) = (second, second, second, second)
    }) { request, responder in
      onAnotherThread {
        usleep(2_500_000)
        echo(request, responder)
      }
    }
    #expect(Client(port: server.port).ask(post("/slow", "x"))?.body == "POST /slow x")
    #expect(server.statistics.timedOut == 0)
  }
}
