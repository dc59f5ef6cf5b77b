import Console
import Lifecycle
import Testing

@testable import Report

@Suite struct ExportCourtesyTests {
  struct Answer: CustomTestStringConvertible, Sendable {
    var target: ExportTarget
    var status: Int
    var headers: [String: String] = [:]
    var attempts = 1
    var means: Reception
    var testDescription: String { "\(target.name) \(status) \(headers) \(attempts)" }
  }
  static let answers = [
    Answer(target: .grafana, status: 200, means: .accepted),
    Answer(target: .grafana, status: 202, means: .accepted),
    Answer(target: .sentryReleases, status: 208, means: .accepted),
    Answer(target: .grafana, status: 429, means: .quiet(seconds: 60)),
    Answer(target: .grafana, status: 429, headers: ["retry-after": "7"], means: .quiet(seconds: 7)),
    Answer(target: .grafana, status: 429, headers: ["retry-after": "-7"], means: .quiet(seconds: 60)),
    // However soon it may be asked again, it is asked ever more rarely.
    Answer(target: .grafana, status: 429, headers: ["retry-after": "0"], means: .quiet(seconds: 2)),
    Answer(target: .otlp, status: 429, headers: ["retry-after": "0"], attempts: 3, means: .quiet(seconds: 8)),
    Answer(target: .grafana, status: 503, headers: ["retry-after": "-7"], means: .later(seconds: 2)),
    Answer(target: .grafana, status: 429, headers: ["retry-after": "soon"], means: .quiet(seconds: 60)),
    // The vendor's own header goes before the general one, and only its own categories count.
    Answer(
      target: .sentry, status: 429, headers: ["retry-after": "7", "x-sentry-rate-limits": "90:error:key"],
      means: .quiet(seconds: 90)),
    Answer(
      target: .sentry, status: 429, headers: ["retry-after": "7", "x-sentry-rate-limits": "90:log_item:key"],
      means: .quiet(seconds: 7)),
    Answer(
      target: .sentryLogs, status: 429, headers: ["x-sentry-rate-limits": "90:log_item:key"], means: .quiet(seconds: 90)
    ),
    Answer(target: .grafana, status: 503, means: .later(seconds: 2)),
    Answer(target: .grafana, status: 503, attempts: 5, means: .later(seconds: 32)),
    Answer(target: .grafana, status: 503, headers: ["retry-after": "100"], means: .later(seconds: 100)),
    Answer(target: .grafana, status: 503, headers: ["retry-after": "1"], attempts: 3, means: .later(seconds: 8)),
    Answer(target: .grafana, status: 500, means: .later(seconds: 2)),
    // OpenTelemetry names four answers after which a request may be made again; the others here are as little about the fact.
    Answer(target: .otlp, status: 500, means: .later(seconds: 2)),
    Answer(target: .otlp, status: 501, means: .later(seconds: 2)),
    Answer(target: .otlp, status: 502, means: .later(seconds: 2)),
    Answer(target: .otlp, status: 505, means: .later(seconds: 2)),
    Answer(target: .otlp, status: 408, means: .later(seconds: 2)),
    Answer(target: .sentry, status: 408, means: .later(seconds: 2)),
    Answer(target: .datadog, status: 599, means: .later(seconds: 2)),
    Answer(target: .otlp, status: 400, means: .refused),
    Answer(target: .otlp, status: 415, means: .refused),
    Answer(target: .grafana, status: 400, means: .refused),
    Answer(target: .sentry, status: 413, means: .refused),
    Answer(target: .grafana, status: 401, means: .misaddressed),
    Answer(target: .grafana, status: 403, means: .misaddressed),
    Answer(target: .grafana, status: 404, means: .misaddressed),
    // A webhook that was there, or a channel that was archived.
    Answer(target: .slack, status: 410, means: .misaddressed),
    Answer(target: .discord, status: 429, headers: ["retry-after": "2.65"], means: .quiet(seconds: 3)),
    Answer(target: .discord, status: 429, headers: ["retry-after": "1e300"], means: .quiet(seconds: 1_000_000_000)),
    Answer(target: .discord, status: 204, means: .accepted),
    Answer(target: .teams, status: 202, means: .accepted),
  ]

  @Test(arguments: answers) func anAnswerMeans(_ answer: Answer) {
    #expect(
      answer.target.reception(answer.status, attempts: answer.attempts) { answer.headers[$0] } == answer.means)
  }

  /// Of a login, a proxy, or a service that is not the one that was meant.
  @Test(arguments: [
    "<!DOCTYPE html><title>Sign in</title>", " \r\n<html lang=en>",
    "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
  ])
  func aPageIsNoReceiver(_ page: String) {
    #expect(ExportTarget.isPage(Array(page.utf8)))
    #expect(ExportTarget.grafana.reception(200, attempts: 1, isPage: true) { _ in nil } == .misaddressed)
    #expect(ExportTarget.grafana.reception(503, attempts: 1, isPage: true) { _ in nil } == .later(seconds: 2))
  }

  /// Slack's answer, an empty one, and those of collectors.
  @Test(arguments: ["ok", "", "{}", "\u{0A}\u{00}", "<?xml version='1.0'?><ok/>", "<htm"])
  func whatReceiversAnswerIsNoPage(_ text: String) { #expect(!ExportTarget.isPage(Array(text.utf8))) }

  @Test func eachPauseIsTwiceTheOneBeforeUpToAnHour() {
    let pauses = (1...100).map(ExportTarget.backoff)
    #expect(pauses.prefix(5) == [2, 4, 8, 16, 32])
    #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $1 == min(3600, $0 * 2) })
    #expect(ExportTarget.backoff(0) == 2 && ExportTarget.backoff(.max) == 3600)
  }
}

@Suite struct ExportCallTests {
  /// A destination, told by its identity, is called as it was.
  @Test(arguments: ExportTarget.all) func whatAPlaceIsCalledBy(_ target: ExportTarget) throws {
    var details: [ExportTarget.Need: String] = [:]
    for need in ExportTarget.Need.ofIdentity where (target.needs + target.mayHave).contains(need) {
      details[need] = "x\(need)"
    }
    var expected = Dictionary(uniqueKeysWithValues: details.map { ($0.key.rawValue, $0.value) })
    let isTyped = !target.isWebhook && target.secretVariable != "SENTRY_DSN"
    if isTyped { expected["to"] = "https://h:1/p" }
    // A DSN names its project.
    if target.secretVariable == "SENTRY_DSN" { details[.project] = "7" }
    let destination = Destination(place: "https://h:1/p", secret: "https://h:1/secret", details: details)
    let call = try #require(ExportCall(identity: destination.identity(target)))
    #expect(call.argument == target.name)
    #expect(Dictionary(uniqueKeysWithValues: call.options.map { ($0.name, $0.value) }) == expected)
  }

  @Test func whatNeedsNoOption() throws {
    let place = try #require(ExportTarget.datadog.defaultPlace)
    #expect(ExportCall(identity: "datadog \(place)")?.options.isEmpty == true)
    let events = try #require(ExportCall(identity: "events otlp http://h:4318"))
    #expect(events.argument == "events" && events.options.map(\.value) == ["http://h:4318"])
    #expect(ExportCall(identity: "nobody http://h") == nil && ExportCall(identity: "") == nil)
  }
}

@Suite struct RedactionTests {
  @Test(arguments: ["t0p-secret/+value", "quo\"te\\d", "müde", "a b"])
  func aSecretIsWithheldInEveryForm(_ secret: String) {
    let redaction = Redaction([secret, ""])
    let forms = [secret, percentEncoded(secret), "{\"key\":\(jsonString(secret))}", "Bearer \(secret)"]
    for form in forms {
      let text = redaction("before \(form) after")
      #expect(text.contains("(withheld)") && text.hasPrefix("before ") && text.hasSuffix(" after"), "\(text)")
      #expect(!text.contains(secret) && !text.contains(percentEncoded(secret)), "\(text)")
    }
    #expect(redaction("nothing of it") == "nothing of it")
  }

  /// What follows may make another character of its end; its bytes are there all the same.
  @Test func aSecretBelowAnAccentIsWithheld() {
    #expect(Redaction(["tok"])("a tok\u{301} b") == "a (withheld)\u{301} b")
    #expect(Redaction(["tok\r"])("tok\r\n").utf8.elementsEqual("(withheld)\n".utf8))
  }

  @Test func aSecretThatHoldsAnotherIsWithheldWhole() {
    #expect(Redaction(["key", "https://key@host/1"])("to https://key@host/1") == "to (withheld)")
  }

  /// Of the guide's DSN, whose key is a word.
  @Test func aWordIsWithheldByItself() {
    let redaction = Redaction(["https://public@o1.ingest.sentry.io/42", "public"])
    for text in ["after its publication", "Publicly", "republic", "public1", "12public"] {
      #expect(redaction(text) == text)
    }
    for (before, after) in [
      ("{\"key\":\"", "\"}"), ("https://", "@host/1"), ("?sentry_key=", "&v=7"),
      ("X-Sentry-Auth: Sentry sentry_key=", ", v"),
      ("q=a%20", "%20b"), ("{\"text\":\"a\\n", "\\nb\"}"), ("\\u0020", "\\u0020"), ("é", "é"), ("", ""), ("a_", "_b"),
    ] {
      #expect(redaction("\(before)public\(after)") == "\(before)(withheld)\(after)")
    }
  }

  /// Whatever touches it: no text has it by chance.
  @Test(arguments: ["d2cfc7b1a0e94f5c8b6a7e3d1f0c9b8a", "kJhQwErT", "a1", "correcthorsebatterystaple", "t0p/secret"])
  func aKeyIsWithheldAmidLetters(_ key: String) {
    for (before, after) in [("", ""), ("key", "s"), ("%20", "0"), ("{\"key\":\"x", "y\"}"), ("https://a", "b@host/1")] {
      #expect(Redaction([key])("\(before)\(key)\(after)") == "\(before)(withheld)\(after)")
    }
  }

  /// As the variable has them, as they are sent, and what a server may repeat of them.
  @Test func headersAreWithheldAsTheyAreSent() {
    let redaction = Redaction(ExportTarget.secrets(ofHeaders: "Authorization=Basic%20dXNlcjpwYXNz==, x-key = k%2Fy"))
    for text in ["Basic%20dXNlcjpwYXNz==", "Basic dXNlcjpwYXNz==", "dXNlcjpwYXNz==", "k%2Fy", "k/y"] {
      #expect(redaction(text) == "(withheld)", "\(text)")
    }
    #expect(redaction("Authorization x-key") == "Authorization x-key")
  }

  private func jsonString(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

@Suite struct ProtobufMessageTests {
  /// The example of the encoding's own documentation: a string, a number of two bytes, a message in a message.
  @Test func writesAsDocumented() {
    let inner = ProtobufMessage(.init("a", 1, .varint))
    let outer = ProtobufMessage(.init("b", 2, .text), .init("c", 3, .message(inner)))
    #expect(inner.encoded(["a": 150]) == [0x08, 0x96, 0x01])
    #expect(outer.encoded(["b": "testing"]) == [0x12, 0x07] + Array("testing".utf8))
    #expect(outer.encoded(["c": ["a": 150]]) == [0x1a, 0x03, 0x08, 0x96, 0x01])
    #expect(outer.encoded(["c": [["a": 1], ["a": 2]]]) == [0x1a, 0x02, 0x08, 0x01, 0x1a, 0x02, 0x08, 0x02])
    #expect(outer.encoded([:]) == [])
  }
}
