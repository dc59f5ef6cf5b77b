import Foundation
import Testing

/// Times that nobody can mean, from whoever may send one: refused where they come in, and the service goes on.
@Suite struct AbsurdTimesTests {
  private static let absurd = [
    "-9223372036854775808", "9223372036854775807", "-1", "253402300800000", "0000-01-01T00:00:00Z",
    "1999-12-31T23:59:59Z", "9999-12-31T23:59:59-00:01",
  ]
  private static let questions = [
    "releases", "adoption 2.0", "reach 2.0", "time-to-update 2.0", "compare 1.0 2.0", "mechanisms 2.0", "failures 2.0",
    "forecast 2.0", "funnel 2.0", "push", "wakeups", "breadcrumbs d1",
  ]
  private let publication = #"{"app":"a","publishedAt":"2024-03-04T08:00:00Z"}"#

  private func json(_ text: String) -> String { Int64(text) == nil ? "\"\(text)\"" : text }
  private func put(_ service: RunningService, _ body: String) throws -> RunningService.Reply {
    try service.ask("PUT", "/v1/releases/2.0", Array(body.utf8))
  }

  @Test(arguments: absurd) func aClientsClockEndsNothing(_ time: String) throws {
    let service = try RunningService()
    let event = #"{"app":"a","device":"d","stage":"check","at":"2024-03-04T08:00:00Z","id":"1"}"#
    let refused = try service.ask(event, headers: ["X-Uptake-Sent-At": time])
    #expect(refused.status == 400 && refused.errorCode == "bad_sent_at" && refused.body.contains("2000 and 9999"))
    #expect(try service.ask(#"{"sentAt":\#(json(time)),"events":[\#(event)]}"#)["accepted"] == 1)
    let at = try service.ask(#"[{"app":"a","device":"d","stage":"check","at":\#(json(time))}]"#)
    #expect(at.status == 400 && at.firstRejection == "bad_time")
    let capgo = #"{"app_id":"a","device_id":"d","action":"set","version_name":"2.0","timestamp":\#(json(time))}"#
    _ = try service.ask("POST", "/stats", Array(capgo.utf8))
    #expect(try sqlite(service.database, "SELECT at FROM event ORDER BY seq LIMIT 1") == "1709539200000")
    #expect(service.stop().status == 0)
    service.removeFiles()
  }

  @Test func aPublicationThatNobodyCanMeanIsRefused() throws {
    let service = try RunningService()
    #expect(try put(service, publication).status == 200)
    for time in Self.absurd {
      let published = try put(service, #"{"app":"a","publishedAt":\#(json(time))}"#)
      #expect(published.status == 400 && published.body.contains("publishedAt"), "\(time): \(published.body)")
      let step = try put(service, #"{"app":"a","rollout":[{"at":\#(json(time)),"percent":10}]}"#)
      #expect(step.status == 400 && step.body.contains("rollout"), "\(time): \(step.body)")
    }
    #expect(try service.ask("GET", "/v1/releases").body.contains(#""publishedAt":"2024-03-04T08:00:00Z""#))
    #expect(service.stop().status == 0)
    for words in [
      ["--at", "0001-01-01T00:00:00Z"], ["--rollout", "10%@1999-01-01T00:00:00Z"], ["--rollout", "5%@999w"],
    ] {
      let refused = try Binary.start(
        Binary.path,
        ["release", "publish", "2.0", "--app", "a", "--now", "9999-12-31", "--db", service.database] + words)
      #expect(refused.status == 2 && refused.errors.contains("hint:"), "\(words): \(refused.errors)")
    }
    service.removeFiles()
  }

  /// The last year there is can be meant, and is nobody's undoing.
  @Test func aPublicationOfTheLastYearIsAnswered() throws {
    let service = try RunningService()
    let last = #"{"app":"a","publishedAt":"9999-12-31T00:00:00Z","rollout":[{"at":253402300799999,"percent":10}]}"#
    #expect(try put(service, last).status == 200)
    #expect(try service.ask(#"{"app":"a","device":"d1","stage":"applied","release":"2.0"}"#)["accepted"] == 1)
    try answersEverything(service)
    service.removeFiles()
  }

  /// What an earlier version stored unchecked, folded or not: questions answer or say why not, the service starts.
  @Test(arguments: [false, true]) func aFileOfAnEarlierVersionEndsNothing(_ isFolded: Bool) throws {
    let first = try RunningService(["--fold-after", isFolded ? "50ms" : "1h"])
    #expect(try put(first, publication).status == 200)
    for (release, stage) in [("1.0", "applied"), ("2.0", "ready"), ("2.0", "applied"), ("2.0", "failed")] {
      for device in 1...3 {
        let event = #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","release":"\#(release)","bucket":7}"#
        #expect(try first.ask(event)["accepted"] == 1)
      }
    }
    // A kill leaves them unfolded.
    #expect(first.stop(isFolded ? SIGTERM : SIGKILL).status == (isFolded ? 0 : 128 + SIGKILL))
    let spoil = """
      UPDATE event SET at = CASE seq % 3 WHEN 0 THEN 9223372036854775807 WHEN 1 THEN -9223372036854775807 ELSE at END,
        received = CASE seq % 4 WHEN 0 THEN -9223372036854775807 WHEN 1 THEN 9223372036854775807 ELSE received END,
        duration = 9223372036854775807, bytes = 9223372036854775807;
      UPDATE sighting SET first_at = -9223372036854775808, first_subject_at = 9223372036854775806;
      UPDATE publication SET published_at = -9223372036854775808;
      INSERT INTO rollout_step SELECT id, 9223372036854775807, 50 FROM publication
        UNION SELECT id, -9223372036854775808, 10 FROM publication;
      UPDATE key SET created_at = 9223372036854775807;
      """
    try change(first.database, spoil)
    let service = try RunningService(["--fold-after", "50ms"], directory: first.directory)
    try answersEverything(service)
    service.removeFiles()
  }

  private func answersEverything(_ service: RunningService) throws {
    for question in Self.questions {
      let words = question.split(separator: " ").map(String.init)
      let told = try Binary.start(Binary.path, words + ["--db", service.database, "--format", "json"])
      #expect(told.status < 128, "\(question): \(told.status) \(told.errors)")
    }
    for words in [
      ["doctor"], ["report", "--out", service.directory + "/site"], ["release", "list"], ["key", "list"],
    ] {
      let told = try Binary.start(Binary.path, words + ["--db", service.database])
      #expect(told.status < 128, "\(words): \(told.status) \(told.errors)")
    }
    #expect(try service.ask("GET", "/v1/answers/adoption?app=a&release=2.0").status != 0)
    #expect(try service.ask(#"{"app":"a","device":"d9","stage":"check"}"#)["accepted"] == 1)
    #expect(service.stop().status == 0)
    let again = try RunningService(["--fold-after", "50ms"], directory: service.directory)
    #expect(try again.ask("GET", "/readyz").status == 200)
    #expect(again.stop().status == 0)
  }
}
