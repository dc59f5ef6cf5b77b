import Lifecycle
import Testing

@testable import Store

@Suite struct ExportMemoryTests {
  let scratch: Scratch
  let registry: Registry
  let now = Timestamp(rawValue: 1_709_540_000_000)
  init() throws {
    scratch = try Scratch()
    registry = try Registry(path: scratch.database)
  }

  private func record(_ id: String, _ target: String = "grafana", at: Int64 = 0, word: String? = nil) -> ExportRecord {
    ExportRecord(
      target: target, id: id, app: "a", release: "2", channel: "c", kind: word == nil ? "step" : "verdict", word: word,
      at: now + .seconds(at), noticedAt: now, fact: "{}")
  }

  @Test func aFactIsRememberedOnceForEachReceiver() throws {
    #expect(try registry.remember([record("1"), record("2"), record("1")]) == 2)
    #expect(try registry.remember([record("1"), record("1", "datadog")]) == 1)
    #expect(try registry.told("grafana", among: ["1", "2", "3"]) == ["1", "2"])
    #expect(try registry.told("datadog", among: ["1", "2", "3"]) == ["1"])
  }

  @Test func whatWasSentIsNeverSentAgain() throws {
    _ = try registry.remember([record("1"), record("2", at: -5)])
    #expect(try registry.unsent("grafana").map(\.id) == ["2", "1"], "in the order in which it happened")
    try registry.begin(record("2"), now: now)
    #expect(try registry.unsent("grafana").map(\.outcome) == [.sending, .waiting], "in doubt until it is answered")
    try registry.finish(record("2"), .sent, reason: nil, nextAt: now, now: now)
    try registry.finish(record("1"), .refused, reason: "413", nextAt: now, now: now)
    #expect(try registry.unsent("grafana").isEmpty)
    #expect(try registry.remember([record("1"), record("2")]) == 0)
    let standing = try #require(try registry.exportStandings().first)
    #expect((standing.sent, standing.refused, standing.waiting) == (1, 1, 0))
  }

  @Test func whatIsForgottenIsNewsAgain() throws {
    _ = try registry.remember([record("1"), record("2")])
    try registry.finish(record("2"), .sent, reason: nil, nextAt: now, now: now)
    try registry.forget([record("1"), record("2")])
    #expect(try registry.unsent("grafana").isEmpty)
    #expect(try registry.remember([record("1"), record("2")]) == 1, "what was sent is never sent again")
  }

  /// Told last, it would read as what holds now.
  @Test func whatKeepsFailingKeepsItsPlace() throws {
    _ = try registry.remember([record("1", at: -9), record("2")])
    for _ in 1...4 { try registry.begin(record("1"), now: now) }
    #expect(try registry.unsent("grafana").map(\.id) == ["1", "2"])
  }

  @Test func aPauseIsNeverShortened() throws {
    try registry.pause("grafana", until: now + .seconds(60))
    try registry.pause("grafana", until: now + .seconds(5))
    #expect(try registry.exportStandings().map(\.pausedUntil) == [now + .seconds(60)])
    _ = try registry.remember([record("1")])
    try registry.postpone("grafana", until: now + .seconds(60))
    try registry.postpone("grafana", until: now)
    #expect(try registry.unsent("grafana").map(\.nextAt) == [now + .seconds(60)])
  }

  @Test func theLastWordOfAVerdictIsKnown() throws {
    var facts = (1...3).map { record("\($0)", at: Int64($0), word: ["Slow", "Failing", "On track"][$0 - 1]) }
    for place in facts.indices { facts[place].fact = facts[place].id }
    _ = try registry.remember(facts)
    let told = try registry.verdictsTold("grafana", app: "a", release: "2", channel: "c")
    #expect(told?.word == "On track" && told?.count == 3 && told?.fact == "3")
    #expect(try registry.lastVerdictsTold("grafana") == ["3"] && registry.lastVerdictsTold("datadog") == [])
    #expect(try registry.verdictsTold("datadog", app: "a", release: "2", channel: "c") == nil)
  }

  @Test func failingIsWhatFailedLast() throws {
    _ = try registry.remember([record("1"), record("2")])
    func standing() throws -> ExportStanding { try #require(try registry.exportStandings().first) }
    #expect(try !standing().isFailing)
    try registry.finish(record("1"), .waiting, reason: "503", nextAt: now, now: now)
    #expect(try standing().isFailing)
    #expect(try standing().reason == "503")
    try registry.finish(record("1"), .sent, reason: nil, nextAt: now, now: now + .seconds(1))
    #expect(try !standing().isFailing)
  }

  /// Events that were refused are passed over without being counted as taken.
  @Test func aPositionOnlyGrows() throws {
    try registry.setExportPosition("events", 10, now: now)
    try registry.setExportPosition("events", 7, now: nil)
    try registry.setExportPosition("events", 11, now: nil)
    #expect(try registry.exportPosition("events") == 11)
    #expect(try registry.exportPosition("others") == 0)
    #expect(try registry.exportStandings().map(\.sentAt) == [now])
  }
}
