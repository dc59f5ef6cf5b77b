import Glibc
import HTTP
import Testing

/// Bodies that are still coming in share their memory.
struct BodyBudgetTests {
  private func serve(_ budget: BodyBudget, holder: @escaping @Sendable (Request) -> UInt64) throws -> HTTPServer {
    try HTTPTests.serve {
      $0.admit = { .body(limit: 1 << 20, allowance: BodyAllowance(budget: budget, holder: holder($0))) }
    }
  }

  private func begin(_ server: HTTPServer, _ path: String, _ bytes: Int) -> Client {
    let client = Client(port: server.port)
    client.send(
      "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n" + String(repeating: "x", count: bytes))
    return client
  }

  @Test func theLargestOfWhoHoldsTheMostGivesWay() throws {
    let budget = BodyBudget(limit: 1_500_000)
    let server = try serve(budget) { $0.path == "/greedy" ? 1 : 2 }
    let greedy = [begin(server, "/greedy", 600_000), begin(server, "/greedy", 700_000)]
    #expect(eventually { budget.held == 1_300_000 })
    let modest = begin(server, "/modest", 350_000)
    #expect(greedy[1].receive()?.status == 503 && greedy[1].isClosedByServer())
    #expect(eventually { budget.held == 950_000 } && budget.gaveWay == 1)
    modest.send(String(repeating: "x", count: 550_000))
    #expect(modest.receive()?.status == 200)
    #expect(eventually { budget.held == 600_000 })
    shutdown(greedy[0].descriptor, Int32(SHUT_RDWR))
    #expect(eventually { budget.held == 0 })
  }

  /// Who holds nothing else asks for too much.
  @Test func itMayBeTheOneThatCame() throws {
    let budget = BodyBudget(limit: 100_000)
    let server = try serve(budget) { _ in 1 }
    let client = begin(server, "/", 200_000)
    let answer = client.receive()
    #expect(answer?.status == 503 && answer?.header("retry-after") == "2")
    #expect(answer?.body.contains("too_many_bodies") == true && eventually { budget.held == 0 })
  }

  /// A small body costs no more than its connection, and is not counted.
  @Test func smallBodiesAreFree() throws {
    let budget = BodyBudget(limit: 0)
    let server = try serve(budget) { _ in 1 }
    let client = Client(port: server.port)
    for _ in 1...3 { #expect(client.ask(post("/", String(repeating: "x", count: 16 << 10)))?.status == 200) }
    #expect(budget.held == 0 && budget.gaveWay == 0)
  }
}
