import Glibc
import HTTP
import Locks
import Synchronization
import Testing

struct DrainTests {
  @Test func answersWhatIsInFlightAndEndsTheRest() throws {
    let waiting = Lock<[Responder]>([])
    let server = try serve { request, responder in
      if request.path == "/now" { return responder.respond(.text("now")) }
      waiting.withLock { $0.append(responder) }
    }
    let idle = Client(port: server.port)
    #expect(idle.ask(get("/now"))?.body == "now")
    let busy = Client(port: server.port)
    busy.send(get("/later"))
    #expect(eventually { waiting.withLock { $0.count } == 1 })
    let drained = Lock<Bool?>(nil)
    onAnotherThread {
      let all = server.drain(timeout: .seconds(5))
      drained.withLock { $0 = all }
    }
    #expect(idle.isClosedByServer())
    #expect(drained.withLock { $0 } == nil)
    waiting.withLock { $0.removeFirst() }.respond(.text("in time"))
    let answer = busy.receive()
    #expect(answer?.body == "in time")
    #expect(answer?.header("connection") == "close")
    #expect(eventually { drained.withLock { $0 } == true })
    #expect(Client(port: server.port).ask(get("/now")) == nil)
  }

  @Test func answers503WhenTheTimeIsOver() throws {
    let waiting = Lock<[Responder]>([])
    let server = try serve { _, responder in waiting.withLock { $0.append(responder) } }
    let client = Client(port: server.port)
    client.send(get("/never"))
    #expect(eventually { waiting.withLock { $0.count } == 1 })
    #expect(!server.drain(timeout: .milliseconds(100)))
    server.close()
    #expect(client.receive()?.status == 503)
    #expect(server.statistics.connections == 0)
    waiting.withLock { $0.removeFirst() }.respond(.text("too late"))
  }

  @Test func closesTwiceAndFromDeinit() throws {
    var server: HTTPServer? = try serve()
    let port = try #require(server?.port)
    let client = Client(port: port)
    #expect(client.ask(get("/"))?.status == 200)
    server?.close()
    server?.close()
    server = nil
    #expect(client.isClosedByServer())
    #expect(Client(port: port).ask(get("/")) == nil)
  }

  @Test func losesNoRequestOfBusyClients() throws {
    let server = try serve { request, responder in onAnotherThread { echo(request, responder) } }
    let answered = Atomic<Int>(0)
    let clients = (0..<20).map { _ in Client(port: server.port) }
    for client in clients { client.send(get("/")) }
    #expect(eventually { server.statistics.accepted == 20 })
    #expect(server.drain(timeout: .seconds(5)))
    for client in clients where client.receive()?.status == 200 { answered.add(1, ordering: .relaxed) }
    #expect(answered.load(ordering: .relaxed) == 20)
  }
}
