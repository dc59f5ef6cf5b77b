import Lifecycle
import Store
import Testing

@testable import Server

struct PublicationFormTests {
  private let now = Timestamp(rawValue: 1_741_392_000_000)

  private func publication(_ body: String, app: String? = "a", label: String = "1.0") throws -> Publication {
    try PublicationForm(Array(body.utf8)).publication(label, app: app, now: now)
  }

  @Test func whatIsLeftOutHasItsDefault() throws {
    let made = try publication("{}")
    #expect(made.app == "a" && made.channel == "production" && made.platform == nil && !made.mandatory)
    #expect(made.publishedAt == now && made.rollout.isEmpty && made.release.rawValue == "1.0")
  }

  @Test func readsTimesAsTextAndAsMilliseconds() throws {
    let made = try publication(
      """
      {"publishedAt":"2025-03-01T08:00:00Z","channel":"beta","platform":"ios","mandatory":true,
       "rollout":[{"at":1740902400000,"percent":100},{"at":"2025-03-01T08:00:00Z","percent":10}]}
      """)
    #expect(made.publishedAt.rfc3339 == "2025-03-01T08:00:00Z" && made.mandatory && made.platform == "ios")
    #expect(made.rollout.map(\.percent) == [10, 100], "in the order of time")
    #expect(made.rollout.last?.at.rfc3339 == "2025-03-02T08:00:00Z")
  }

  /// Clocks of senders tell whole seconds, and a request takes a while: a first step of just now is when it was published.
  @Test(arguments: [(0, 0), (700, 700), (60_000, 60_000), (60_001, 0), (-500, 0)])
  func aFirstStepOfJustNowIsThePublication(_ ago: Int64, _ before: Int64) throws {
    let step = now.rawValue - ago
    let made = try publication(
      #"{"rollout":[{"at":\#(now.rawValue + 5000),"percent":100},{"at":\#(step),"percent":10}]}"#)
    #expect(made.publishedAt.rawValue == now.rawValue - before)
  }

  @Test func whatIsAnsweredBesideAPublicationIsIgnored() throws {
    #expect(try publication(#"{"channel":"beta","notes":[{"code":"moved","message":"x"}]}"#).channel == "beta")
  }

  static let refusals: [(body: String, app: String?, label: String, status: Int, says: String)] = [
    ("nonsense", "a", "1", 400, "the body is not a JSON object that can be read: this is not JSON at byte 0"),
    ("[]", "a", "1", 400, "not a JSON object"),
    (#"{"rollout":[{"at":1e999}]}"#, "a", "1", 400, "a number that is too large at byte 23"),
    ("{}", nil, "1", 400, "app is missing, and no key names one"),
    (#"{"app":"b"}"#, "a", "1", 403, "the key is for another app"),
    (#"{"rollout":[{"at":0,"percent":1}]}"#, "a", "1", 400, "is not between the years 2000 and 9999"),
    (#"{"rollout":[{"at":1740902400000,"percent":101}]}"#, "a", "1", 400, "percent 101.0 is not between 0 and 100"),
    (
      #"{"rollout":["# + Array(repeating: #"{"at":1740902400000,"percent":1}"#, count: 1001).joined(separator: ",")
        + "]}",
      "a", "1", 400, "a rollout has at most 1000 steps, and this one 1001"
    ),
    (#"{"rollout":[{"at":1740902400000}]}"#, "a", "1", 400, "rollout[0].percent is missing"),
    (
      #"{"rollout":[{"at":1740902400000,"percnt":10,"percent":100}]}"#, "a", "1", 400,
      #"there is no field "rollout[0].percnt"; did you mean percent?"#
    ),
    (
      #"{"rollout":[{"at":1740902400000,"percent":10,"platform":"ios"}]}"#, "a", "1", 400,
      #"there is no field "rollout[0].platform"; known: at, percent"#
    ),
    (#"{"percnt":1}"#, "a", "1", 400, #"there is no field "percnt"; known: app, channel"#),
    (
      #"{"rollout":[{"at":1740902400000,"percent":10},{"at":1740902400000,"percent":100}]}"#, "a", "1", 400,
      "two steps are at 2025-03-02T08:00:00Z, of 10.0 and of 100.0 percent"
    ),
    ("{}", "a", "store:4.2", 400, #""store:4.2" is what a store shipped"#),
    (#"{"publishedAt":"soon"}"#, "a", "1", 400, "publishedAt: \"soon\" is not a time"),
    (#"{"channel":""}"#, "a", "1", 400, "channel has 1 to 64 bytes"),
    ("{}", "a", "", 400, "release has 1 to 128 bytes"),
    (#"{"platform":"a\u0000"}"#, "a", "1", 400, "platform has the character U+0000"),
  ]

  @Test(arguments: refusals) func refuses(
    _ row: (body: String, app: String?, label: String, status: Int, says: String)
  ) {
    let form = #expect(throws: BadForm.self) { try publication(row.body, app: row.app, label: row.label) }
    #expect(form?.status == row.status && form?.message.contains(row.says) == true, "\(form?.message ?? "")")
  }

  /// Devices count from the first step that lets them have it, also where they had it before everybody else.
  @Test func aStepMayBeBeforeThePublicationAndBeRepeated() throws {
    let step = #"{"at":"2025-02-28T08:00:00Z","percent":10}"#
    #expect(
      try publication(#"{"publishedAt":"2025-03-01T08:00:00Z","rollout":[\#(step),\#(step)]}"#).rollout.count == 2)
  }

  @Test func aFileIsAListOrTheDocumentThatIsPrinted() throws {
    for text in [
      #"[{"release":"1"},{"release":"2"}]"#, " \t\r\n[{\"release\":\"1\"},{\"release\":\"2\"}]",
      "\r\n[{\"release\":\"1\"},{\"release\":\"2\"}]", "\t[{\"release\":\"1\"},{\"release\":\"2\"}]",
      #"{"schema":"uptake.release-list/1","data":[{"release":"1"},{"release":"2"}]}"#,
    ] {
      #expect(try PublicationForm.list(Array(text.utf8)).map(\.release) == ["1", "2"])
    }
    #expect(throws: BadForm.self) { try PublicationForm.list(Array("{}".utf8)) }
  }
}
