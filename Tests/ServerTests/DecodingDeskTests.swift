import Dispatch
import Ingest
import Synchronization
import Testing

@testable import Server

struct DecodingDeskTests {
  private final class Order: Sendable {
    private let all = Mutex<[String]>([])
    var names: [String] { all.withLock { $0 } }
    func note(_ name: String) { all.withLock { $0.append(name) } }

    func work(_ client: UInt64, _ bytes: Int, _ name: String) -> Turns.Work {
      Turns.Work(client: client, bytes: bytes, run: { self.note(name) }, orElse: { self.note("no " + name) })
    }
  }

  /// Who sends many waits for its own.
  @Test func clientsComeInTurns() {
    var turns = Turns()
    let order = Order()
    for number in 1...3 { turns.add(order.work(1, 10, "a\(number)")) }
    turns.add(order.work(2, 10, "b1"))
    turns.add(order.work(3, 10, "c1"))
    turns.add(order.work(2, 10, "b2"))
    while let next = turns.next() { next.run() }
    #expect(order.names == ["a1", "b1", "c1", "a2", "b2", "a3"] && turns.bytes == 0 && turns.count == 0)
  }

  @Test func theNewestOfWhoHasTheMostGivesWay() {
    var turns = Turns()
    let order = Order()
    for (client, bytes, name) in [(1, 30, "a1"), (2, 40, "b1"), (1, 20, "a2")] as [(UInt64, Int, String)] {
      turns.add(order.work(client, bytes, name))
    }
    while let last = turns.giveWay() { last.orElse() }
    #expect(order.names == ["no a2", "no b1", "no a1"] && turns.bytes == 0 && turns.next() == nil)
  }

  /// Beyond what may wait, the greedy are told to come again; who sends little is served.
  @Test func whatWaitsIsBounded() {
    let desk = DecodingDesk(threads: 1, capacity: 100)
    let (gate, started, order) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Order())
    desk.take(
      Turns.Work(
        client: 9, bytes: 1,
        run: {
          started.signal()
          gate.wait()
        }, orElse: {}))
    started.wait()
    for number in 1...3 { desk.take(order.work(1, 50, "a\(number)")) }
    #expect(order.names == ["no a3"] && desk.waiting == 2)
    desk.take(order.work(2, 10, "b1"))
    #expect(order.names == ["no a3", "no a2"] && desk.refused.total == 2)
    gate.signal()
    #expect(eventually { order.names.count == 4 })
    #expect(order.names.dropFirst(2) == ["a1", "b1"] && desk.waiting == 0)
  }
}
