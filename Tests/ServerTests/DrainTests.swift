import Console
import Foundation
import HTTP
import Lifecycle
import Report
import Store
import Synchronization
import Testing

@testable import Server

/// The end of a service, over real sockets.
struct DrainTests {
  private func listen(_ served: ServedDatabase) throws -> (HTTPServer, WebAddress) {
    let server = try served.service.listen(HTTP.Configuration(address: try ListenAddress("127.0.0.1:0")))
    return (server, try #require(WebAddress("http://127.0.0.1:\(server.port)")))
  }

  /// Whatever was answered with 200 is in the file, folded, once the service has ended; what was not may be sent again.
  @Test func whatWasAcknowledgedIsThere() throws {
    let served = try ServedDatabase()
    let (server, address) = try listen(served)
    let housekeeping = Housekeeping(served.service, foldAfter: .seconds(3600))
    let acknowledged = Atomic(0)
    let senders = DispatchGroup()
    for sender in 0..<4 {
      DispatchQueue.global().async(group: senders) {
        for number in 0... {
          let body = #"{"device":"d\#(number)","stage":"check","app":"a","id":"\#(sender)-\#(number)"}"#
          let request = OutboundRequest("POST", address.appending("/v1/events"), body: Array(body.utf8))
          guard let answer = try? HTTPClient(userAgent: "t").send(request), answer.status == 200 else { return }
          acknowledged.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(eventually { acknowledged.load(ordering: .relaxed) > 100 })
    served.service.drain(server, housekeeping)
    senders.wait()
    let stored = try Snapshot(path: served.path).eventCount(after: 0, app: nil)
    #expect(stored >= acknowledged.load(ordering: .relaxed))
    #expect(try Snapshot(path: served.path).lastOfWhole != nil, "all of it is folded")
    #expect(served.log.text.contains(#""event":"stopped","level":"info","stored":\#(stored)"#), "\(served.log.text)")
    #expect(served.ask("POST", "/v1/events", #"{"device":"d","stage":"check","app":"a"}"#).code == "stopping")
    #expect(served.ask("GET", "/readyz").code == "stopping")
  }

  /// A receiver that hangs holds the end up for a moment only, and the fact is told at the next start.
  @Test func aReceiverThatHangsDoesNotHoldItUp() throws {
    let receiver = Receiver { _, _ in .silence }
    let order = try ExportFixture(releases: 0).order(to: receiver.url)
    let served = try ServedDatabase(exports: { path, journal in
      ExportKeeper(
        [.init(order: order, every: .seconds(3600), client: ExportFixture.client(.seconds(30)))], database: path,
        journal: journal, clock: ServedDatabase.clock)
    })
    for release in ["1", "2"] {
      _ = served.ask("PUT", "/v1/releases/" + release, #"{"app":"a","publishedAt":"2025-03-02T00:0\#(release):00Z"}"#)
    }
    let (server, _) = try listen(served)
    let housekeeping = Housekeeping(served.service, foldAfter: .seconds(3600))
    #expect(eventually { receiver.requests.count == 1 })
    let start = ContinuousClock.now
    served.service.drain(server, housekeeping)
    #expect(ContinuousClock.now - start < .seconds(20))
    let unsent = try Registry(path: served.path).unsent(order.destination.identity(order.target))
    #expect(unsent.first?.outcome == .sending && unsent.count > 1 && receiver.requests.count == 1)
  }

  /// A half-written page beside the whole ones would stay for ever: the end waits for the page at hand.
  @Test func aPageAtHandIsFinished() throws {
    let folder = try TemporaryFolder()
    let site = folder.path + "/site"
    let served = try ServedDatabase(in: folder, reports: { ReportFixture.keeper(site, $0, $1) })
    for release in 0..<5 {
      _ = served.ask("PUT", "/v1/releases/\(release)", #"{"app":"a","publishedAt":"2025-03-02T00:0\#(release):00Z"}"#)
    }
    let (server, _) = try listen(served)
    let housekeeping = Housekeeping(served.service, foldAfter: .seconds(3600))
    #expect(eventually { access(site + "/a", F_OK) == 0 })
    served.service.drain(server, housekeeping)
    let before = ReportFixture.files(site)
    usleep(300_000)
    #expect(ReportFixture.files(site) == before, "nothing is written any more")
    #expect(!before.contains { $0.hasSuffix(".tmp") })
  }
}
