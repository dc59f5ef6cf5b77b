import Glibc
import HTTP
import Locks
import Synchronization
import Testing

/// Counts at which event loops have stalled, and crowds of idle clients.
struct ManyConnectionsTests {
  /// Answers in batches from one other thread, as a group commit does.
  private final class Committer: Sendable {
    private let waiting = Lock<[(Request, Responder)]>([])
    private let isOver = Atomic<Bool>(false)

    init() {
      onAnotherThread { [waiting = Unmanaged.passRetained(self)] in
        let committer = waiting.takeRetainedValue()
        while !committer.isOver.load(ordering: .relaxed) {
          let batch = committer.waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
          }
          for (request, responder) in batch { echo(request, responder) }
          if batch.isEmpty { usleep(200) }
        }
      }
    }

    func add(_ request: Request, _ responder: Responder) { waiting.withLock { $0.append((request, responder)) } }
    func stop() { isOver.store(true, ordering: .relaxed) }
  }

  /// One thread gets them all at once, so that one wait returns exactly that many.
  @Test(arguments: [127, 128, 129, 256])
  func doesNotStallAt(_ count: Int) throws {
    // However busy the machine is: at a count at which none ever stalled it is as busy.
    let usual = try time(of: 40) / 40
    #expect(try time(of: count) < (usual * count * 5 + .seconds(1)) * patience)
  }

  /// Of twenty rounds in which so many ask at once.
  private func time(of count: Int) throws -> Duration {
    let committer = Committer()
    defer { committer.stop() }
    let server = try serve({ $0.threads = 1 }) { request, responder in committer.add(request, responder) }
    let clients = (0..<count).map { _ in Client(port: server.port) }
    return ContinuousClock().measure {
      for round in 0..<20 {
        for client in clients { client.send(get("/\(round)")) }
        for client in clients { #expect(client.receive()?.body == "GET /\(round) ") }
      }
    }
  }

  @Test func servesBesideThousandsOfIdleConnections() throws {
    let idle = 4000
    try #require(liftFileLimit() > 2 * idle + 500)
    let committer = Committer()
    defer { committer.stop() }
    let server = try serve({
      $0.headerTimeout *= patience
      $0.idleTimeout *= patience
    }) { request, responder in committer.add(request, responder) }
    let crowd = (0..<idle).map { _ in Client(port: server.port) }
    #expect(eventually { server.statistics.connections == idle })
    let workers = (0..<32).map { _ in Client(port: server.port) }
    let time = ContinuousClock().measure {
      for round in 0..<50 {
        for client in workers { client.send(get("/\(round)")) }
        for client in workers { #expect(client.receive()?.body == "GET /\(round) ") }
      }
    }
    #expect(time < .seconds(5) * patience)
    #expect(crowd.last?.ask(get("/awake"))?.body == "GET /awake ")
  }

  private func liftFileLimit() -> Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(clamping: limit.rlim_cur)
  }
}
