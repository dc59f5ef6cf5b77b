import Console
import Foundation
import HTTP
import Ingest
import Lifecycle
import Report
import Store
import Testing

@testable import Server

struct ExportKeeperTests {
  private let fixture: ExportFixture
  private let written = Written()

  init() throws { fixture = try ExportFixture() }

  private func keeper(
    _ orders: [ExportOrder], database: String? = nil, timeout: Swift.Duration = .seconds(10),
    turn: Swift.Duration = .seconds(10)
  ) -> ExportKeeper {
    let clock: @Sendable () -> Instant = { Instant(rawValue: ExportFixture.noon.rawValue) }
    return ExportKeeper(
      orders.map { .init(order: $0, every: .seconds(3600), client: ExportFixture.client(timeout)) },
      database: database ?? fixture.served.path, journal: ServiceLog(written.sink, clock: clock), turn: turn,
      clock: clock)
  }

  /// What the alert and the log's readers look for, whatever went wrong.
  @Test(arguments: [400, 401, 404, 429, 500])
  func whatWasNotTakenIsAFailureInTheLog(_ status: Int) throws {
    let receiver = Receiver { _, _ in .status(status) }
    let keeper = keeper([try fixture.order(to: receiver.url)])
    keeper.beginWhatIsDue()
    #expect(eventually { written.text.contains("\"target\"") }, "\(written.text)")
    keeper.stop()
    #expect(written.text.contains("export_failed") && written.text.contains("\(status)"), "\(written.text)")
    #expect(!written.text.contains("\"exported\""))
  }

  /// A service whose database was moved away must not put an empty one in its place: whoever looks would take that for the
  /// data, and the next start would serve it, without keys.
  @Test func noDatabaseIsMadeWhereThereIsNone() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/moved.db"
    let keeper = keeper([try fixture.order(to: "http://127.0.0.1:1")], database: path)
    keeper.beginWhatIsDue()
    #expect(eventually { keeper.statuses.first?.isFailing == true })
    keeper.stop()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    #expect(written.text.contains("export_failed") && written.text.contains("there is no database"))
  }

  /// A receiver that hangs takes its own time and nobody else's news.
  @Test func oneThatHangsDoesNotKeepTheOthersFromBeingTold() throws {
    let (hanging, well) = (Receiver { _, _ in .silence }, Receiver { _, _ in .status(200) })
    let keeper = keeper(
      [try fixture.order(to: hanging.url), try fixture.order(to: well.url)], timeout: .seconds(2))
    keeper.beginWhatIsDue()
    keeper.beginWhatIsDue()
    #expect(eventually { keeper.statuses.count == 2 })
    keeper.stop()
    let failing = Dictionary(uniqueKeysWithValues: keeper.statuses.map { ($0.standing.target, $0.isFailing) })
    #expect(failing == ["grafana \(hanging.url)": true, "grafana \(well.url)": false])
    #expect(hanging.requests.count == 1 && well.requests.count >= 3)
    #expect(!written.text.contains(ExportFixture.secret))
  }

  /// What waits for a slow one is told in turns: no other waits for all of it.
  @Test func aSlowReceiverTakesTurnsWithTheOthers() throws {
    let slow = Receiver { _, _ in
      usleep(600_000)
      return .status(200)
    }
    let well = Receiver { _, _ in .status(200) }
    let orders = [try fixture.order(to: slow.url), try fixture.order(to: well.url)]
    let keeper = keeper(orders, turn: .milliseconds(300))
    keeper.beginWhatIsDue()
    #expect(eventually { !well.requests.isEmpty })
    // None where its turn was over before its thread came to it.
    #expect(slow.requests.count <= 1)
    let isDone = eventually {
      keeper.beginWhatIsDue()
      return slow.requests.count >= 3
    }
    keeper.stop()
    #expect(isDone)
  }

  /// Between two requests, not amid one: what was not begun is not begun any more.
  @Test func nothingIsBegunOnceItStops() throws {
    // Each is answered once it may be: however late this thread comes to stop it, the first or the second is at hand then.
    let gate = DispatchSemaphore(value: 0)
    defer { for _ in 0..<10 { gate.signal() } }
    let receiver = Receiver { _, _ in
      gate.wait()
      return .status(200)
    }
    let keeper = keeper([try fixture.order(to: receiver.url)])
    keeper.beginWhatIsDue()
    #expect(eventually { receiver.requests.count == 1 })
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { gate.signal() }
    keeper.stop()
    let told = receiver.requests.count
    usleep(250_000)
    #expect(receiver.requests.count == told && told <= 2)
    #expect(try fixture.unsent(try fixture.order(to: receiver.url)).count >= 1)
  }

  /// Two entries for one receiver, as one an app, are one series: a look that failed is not covered by one that did not.
  @Test func oneOfTwoEntriesForAReceiverMayFail() throws {
    let receiver = Receiver { _, _ in .status(200) }
    var (wrong, right) = (try fixture.order(to: receiver.url), try fixture.order(to: receiver.url))
    (wrong.choice.app, right.choice.app) = ("nobody", "a")
    let keeper = keeper([wrong, right])
    keeper.beginWhatIsDue()
    #expect(eventually { receiver.requests.count >= 3 && keeper.statuses.first?.standing.waiting == 0 })
    keeper.stop()
    #expect(keeper.statuses.count == 1 && keeper.statuses.first?.isFailing == true)
  }

  /// They would wait for ever, and `doctor` would warn of them. What waits for the entry as it is now stays.
  @Test func whatANarrowedEntryTellsOfNoMoreIsDropped() throws {
    #expect(
      fixture.served.ask("PUT", "/v1/releases/1.0", #"{"app":"b","publishedAt":"2025-03-02T00:00:00Z"}"#).status == 200)
    let receiver = Receiver { _, _ in .status(503) }
    var order = try fixture.order(to: receiver.url)
    _ = try fixture.ready(order, at: ExportFixture.noon - .hours(13))
    let dropped = try fixture.unsent(order).filter { $0.app == "a" }.count
    order.choice.app = "b"
    let keeper = keeper([order])
    keeper.beginWhatIsDue()
    #expect(eventually { written.text.contains("export_failed") }, "\(written.text)")
    keeper.stop()
    #expect(try Set(fixture.unsent(order).map(\.app)) == ["b"])
    #expect(written.text.contains("export_dropped") && written.text.contains("\"facts\":\(dropped)"), "\(written.text)")
  }

  /// What was sent is remembered by place: of two secrets for one place the second would never be told what the first was.
  @Test func twoSecretsForOnePlaceAreRefused() throws {
    let (one, other) = (try fixture.order(to: "http://x"), try fixture.order(to: "http://x", secret: "another"))
    let entries = [one, try fixture.order(to: "http://y"), other].map {
      ExportKeeper.Entry(order: $0, every: .seconds(1), client: ExportFixture.client())
    }
    let failure = #expect(throws: Failure.self) { try ExportKeeper.check(entries) }
    #expect(failure?.code == "two_secrets" && failure?.place == "[[export]] 3" && failure?.exit == .usage)
    #expect(failure?.what.contains("another") == false && failure?.what.contains("grafana http://x") == true)
    try ExportKeeper.check([entries[0], entries[0], entries[1]])
  }

  @Test func metricsSayHowEachReceiverStands() throws {
    let receiver = Receiver { number, _ in number == 0 ? .status(200) : .status(429, ["Retry-After: 60"]) }
    let keeper = keeper([try fixture.order(to: receiver.url)])
    keeper.beginWhatIsDue()
    #expect(eventually { keeper.statuses.first?.standing.sent == 1 })
    keeper.stop()
    var text = MetricsText()
    fixture.served.service.write(keeper, to: &text)
    let target = "{target=\"grafana \(receiver.url)\""
    #expect(text.text.contains("uptake_export_facts\(target),outcome=\"sent\"} 1\n"))
    #expect(text.text.contains("uptake_export_last_success_timestamp_seconds\(target)} 1740960000\n"))
    #expect(text.text.contains("uptake_export_paused_until_timestamp_seconds\(target)} 1740960060\n"))
  }
}
