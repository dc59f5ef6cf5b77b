import Console
import HTTP
import Lifecycle
import Report
import Store
import Testing

@testable import Server

/// Halts, their ends and withdrawals, as a chat is told of them.
struct ExportChatTests {
  private let fixture: ExportFixture
  private let order: ExportOrder
  private let midnight = ExportFixture.noon

  init() throws {
    fixture = try ExportFixture()
    let sink = Sink(isTerminal: false, columns: 80) { _ in }
    let host = Host(
      arguments: [], environment: [:], output: sink, errors: sink,
      readFile: { (_) throws(Failure) in Array("http://127.0.0.1:1/services/T/B/x".utf8) })
    order = try ExportOrder(
      #require(ExportTarget.named("slack")),
      .init(place: nil, secretFile: "/s", secretVariable: nil, details: [:], name: { "--" + $0 }), host,
      client: "uptake/1")
  }

  /// - Parameter steps: hours of the day, and percents.
  private func publish(_ steps: [(hour: Int64, percent: Int)]) {
    let rollout = steps.map { #"{"at":\#((midnight - .hours(24 - $0.hour)).rawValue),"percent":\#($0.percent)}"# }
    let body = #"{"app":"a","publishedAt":"2025-03-02T01:00:00Z","rollout":[\#(rollout.joined(separator: ","))]}"#
    let answer = fixture.served.ask("PUT", "/v1/releases/2.0", body)
    #expect(answer.status == 200, "\(answer.text)")
  }

  /// Titles of what is news of the release at an hour of the day, in the order in which it happened.
  private func news(_ hour: Int64, _ kind: RolloutFact.Kind = .halted) throws -> [String] {
    let now = midnight - .hours(24 - hour)
    let exporter = fixture.exporter(order, at: now)
    let known = try Set(fixture.unsent(order).map(\.id))
    let vocabulary = try Snapshot(path: fixture.served.path).vocabulary
    let found = try exporter.news(order.choice.rollouts(path: fixture.served.path, now: now))
    _ = try exporter.remember(found + exporter.withdrawn(vocabulary, now: now))
    return try fixture.unsent(order).filter { !known.contains($0.id) && $0.kind == kind.rawValue }
      .compactMap(\.decoded?.title).filter { $0.hasPrefix("2.0 ") }
  }

  @Test func haltsAndTheirEndsAreToldOnceWhereNoVerdictTellsOfThem() throws {
    publish([(1, 10)])
    #expect(try news(2, .verdict).count == 1)
    publish([(1, 10), (3, 0), (4, 50)])
    #expect(try news(5) == ["2.0 on production: halted", "2.0 on production: goes on at 50%"])
    #expect(try news(6).isEmpty)
    publish([(1, 10), (3, 0), (4, 50), (7, 0)])
    #expect(try news(8).isEmpty, "the verdict says so")
    #expect(try fixture.unsent(order).last?.word == "Wait: halted")
    #expect(try news(9).isEmpty)
  }

  /// A first step of 0 % is no halt, and who is told of a release for the first time is told how it stands.
  @Test func whatNobodyHeardOfIsNoNews() throws {
    publish([(1, 0), (2, 10), (3, 0), (4, 50)])
    #expect(try news(5).isEmpty)
    publish([(1, 0), (2, 10), (3, 0), (4, 50), (6, 100)])
    #expect(try news(7).isEmpty)
  }

  @Test func whatIsTakenBackAndPutBackIsTold() throws {
    publish([(1, 10)])
    #expect(try news(2, .verdict).count == 1)
    let place = PublicationPlace(
      app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", platform: nil)
    #expect(try fixture.registry.withdraw(place, now: midnight - .hours(21)) != nil)
    #expect(try news(4) == ["2.0 on production: withdrawn"])
    #expect(try news(5).isEmpty)
    publish([(1, 10)])
    #expect(try news(6, .verdict).count == 1)
    #expect(try news(7, .verdict).isEmpty)
  }
}
