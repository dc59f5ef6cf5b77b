import Glibc
import HTTP
import Testing

/// Clients that take their time. The limits are of 300 milliseconds so that the tests are quick.
struct TimeoutTests {
  static let short = Duration.milliseconds(300)

  /// Sends a byte every 20 milliseconds, until the server closes or five seconds are over.
  func drip(_ client: Client) -> Duration {
    ContinuousClock().measure {
      for _ in 0..<250 {
        guard client.send("x") else { return }
        var byte: UInt8 = 0
        let count = recv(client.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count >= 0 || errno != EAGAIN { return }
        usleep(20_000)
      }
    }
  }

  @Test func endsSilentConnections() throws {
    let server = try serve { $0.headerTimeout = Self.short }
    let client = Client(port: server.port)
    let time = ContinuousClock().measure { #expect(client.isClosedByServer()) }
    #expect(time > .milliseconds(250) && time < .seconds(4) * patience)
    #expect(eventually { server.statistics.timedOut == 1 })
  }

  @Test(arguments: ["GET /", "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "])
  func endsHeadersThatDrip(_ start: String) throws {
    let server = try serve { $0.headerTimeout = Self.short }
    let client = Client(port: server.port)
    client.send(start)
    let time = drip(client)
    #expect(time > .milliseconds(250) && time < .seconds(4) * patience)
  }

  @Test(arguments: ["Content-Length: 1000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3e8\r\n"])
  func endsBodiesThatDrip(_ start: String) throws {
    let server = try serve { $0.bodyTimeout = Self.short }
    let client = Client(port: server.port)
    client.send("POST / HTTP/1.1\r\nHost: a\r\n" + start)
    let time = drip(client)
    #expect(time > .milliseconds(250) && time < .seconds(4) * patience)
    #expect(client.receive()?.status == 408)
    #expect(client.isClosedByServer())
    #expect(eventually { server.statistics.inFlight == 0 })
  }

  @Test func endsIdleConnections() throws {
    let server = try serve { $0.idleTimeout = Self.short }
    let client = Client(port: server.port)
    #expect(client.ask(get("/"))?.status == 200)
    let time = ContinuousClock().measure { #expect(client.isClosedByServer()) }
    #expect(time > .milliseconds(250) && time < .seconds(4) * patience)
  }

  @Test func endsClientsThatDoNotRead() throws {
    let body = String(repeating: "x", count: 32 << 20)
    let server = try serve({ $0.sendTimeout = Self.short }) { _, responder in responder.respond(.text(body)) }
    let client = Client(port: server.port)
    client.send(get("/"))
    #expect(eventually { server.statistics.timedOut == 1 && server.statistics.connections == 0 })
  }

  @Test func waitsForHandlersLongerThanForClients() throws {
    let server = try serve({
      ($0.headerTimeout, $0.bodyTimeout, $0.idleTimeout, $0.sendTimeout) = (
        Self.short, Self.short, Self.short, Self.short
      )
    }) { request, responder in
      onAnotherThread {
        usleep(700_000)
        echo(request, responder)
      }
    }
    #expect(Client(port: server.port).ask(post("/slow", "x"))?.body == "POST /slow x")
    #expect(server.statistics.timedOut == 0)
  }
}
