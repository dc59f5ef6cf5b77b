import Foundation
import HTTP
import Store
import Testing

@testable import Server

/// What looks like a slip in a publication is registered, and told beside it.
struct PublicationNotesTests {
  private let served: ServedDatabase

  init() throws {
    served = try ServedDatabase()
    let event =
      #"{"app":"a","device":"d","stage":"check","at":"2025-03-01T00:00:00Z","release":"2.0.0","platform":"ios"}"#
    _ = served.ask("POST", "/v1/events", event)
  }

  private func put(_ label: String, _ body: String, key: String? = nil) throws -> [String: Any] {
    let response = served.ask("PUT", "/v1/releases/" + label, body, key: key)
    try #require(response.status == 200, "\(response.text)")
    return try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
  }

  private func notes(_ answer: [String: Any]) -> [String: String] {
    let notes = answer["notes"] as? [[String: String]] ?? []
    return Dictionary(notes.map { ($0["code"] ?? "", $0["message"] ?? "") }) { first, _ in first }
  }

  static let slips: [(label: String, body: String, code: String, says: String)] = [
    ("v2.0.0", #"{"app":"a"}"#, "near_twin", "reads like 2.0.0; if that was meant, publish 2.0.0"),
    (
      "v2.0.0", #"{"app":"a"}"#, "near_twin",
      "to take it back: DELETE /v1/releases/v2.0.0?app=a&channel=production (scope admin)"
    ),
    ("3.0", #"{"app":"a","channel":"prodution"}"#, "unknown_channel", "did you mean production?"),
    ("3.0", #"{"app":"a","channel":"beta"}"#, "unknown_channel", "devices are on production"),
    ("3.0", #"{"app":"a","channel":"production,production"}"#, "several_channels", "the name of one channel"),
    ("3.0", #"{"app":"a","channel":"production,beta"}"#, "several_channels", "the name of one channel"),
    ("3.0", #"{"app":"a","platform":"iphone"}"#, "unknown_platform", "devices are on ios"),
    ("3.0", #"{"app":"a","platform":"IOS"}"#, "unknown_platform", "did you mean ios?"),
    ("3.0", #"{"app":"a","publishedAt":"2025-04-03T00:00:00Z"}"#, "future", "3.0 comes only in 31.0d"),
    (
      "3.0", #"{"app":"a","rollout":[{"at":"2025-03-03T00:00:00Z","percent":0.1}]}"#, "percent_below_one",
      "a step to 0.1% lets 1 of 1,000 devices have it; shares go up to 100, so if 10% was meant, say that"
    ),
    (
      "3.0",
      #"{"app":"a","rollout":[{"at":"2025-03-03T00:00:00Z","percent":50},{"at":"2025-03-04T00:00:00Z","percent":10}]}"#,
      "shares_fall", "the share falls from 50% to 10% at 2025-03-04 00:00 UTC: that takes it from no device"
    ),
  ]

  @Test(arguments: slips) func areTold(_ row: (label: String, body: String, code: String, says: String)) throws {
    let answer = try put(row.label, row.body)
    #expect(notes(answer)[row.code]?.contains(row.says) == true, "\(answer)")
    #expect(answer["release"] as? String == row.label && answer["publishedAt"] != nil, "it is registered")
    #expect(!notes(answer).values.contains { $0.contains("uptake ") || $0.contains("--") }, "\(answer)")
    let printed = served.ask("PUT", "/v1/releases/" + row.label, row.body).text
    let again = served.ask("PUT", "/v1/releases/" + row.label, printed)
    #expect(again.status == 200, "what is answered may be sent again: \(again.text)")
  }

  @Test func nothingIsSaidWhereNothingIsOdd() throws {
    #expect(try put("2.0.0", #"{"app":"a"}"#)["notes"] == nil)
    #expect(try put("2.0.1", #"{"app":"a","platform":"ios"}"#)["notes"] == nil)
  }

  @Test func openingAgainBehindAHaltIsNoFall() throws {
    let steps = [50, 0, 10, 10].enumerated().map { day, percent in
      #"{"at":"2025-03-0\#(day + 3)T00:00:00Z","percent":\#(percent)}"#
    }
    let answer = try put("3.0", #"{"app":"a","rollout":[\#(steps.joined(separator: ","))]}"#)
    #expect(notes(answer)["shares_fall"] == nil, "\(answer)")
  }

  /// Which apps there are is nothing that the key of one may learn.
  @Test func otherAppsAreNotTold() throws {
    let open = try put("2.0.0", #"{"app":"A"}"#)
    #expect(notes(open)["unknown_app"]?.contains("did you mean a?") == true, "\(open)")
    let key = try served.key(.admin, app: "b")
    #expect(try put("2.0.0", "{}", key: key)["notes"] == nil)
  }

  /// A request that is sent again does nothing; a time that is named is another one.
  @Test func theTimeStaysUnlessItIsNamed() throws {
    let (early, late) = ("2025-03-02T00:00:00Z", "2025-03-02T12:00:00Z")
    let steps = #""rollout":[{"at":"2025-03-02T00:00:00Z","percent":10}]"#
    _ = try put("3.0", #"{"app":"a","publishedAt":"\#(early)",\#(steps)}"#)
    for _ in 0..<2 {
      let again = try put("3.0", #"{"app":"a",\#(steps)}"#)
      #expect(again["publishedAt"] as? String == early && again["notes"] == nil, "\(again)")
    }
    let moved = try put("3.0", #"{"app":"a","publishedAt":"\#(late)",\#(steps)}"#)
    #expect(moved["publishedAt"] as? String == late)
    #expect(notes(moved)["moved"]?.contains("to keep the time send publishedAt \"\(early)\"") == true, "\(moved)")
    let bare = try put("3.0", #"{"app":"a"}"#)
    #expect(bare["publishedAt"] as? String == late && (bare["rollout"] as? [Any])?.isEmpty == true)
    #expect(notes(bare)["steps_dropped"]?.contains("to put them back: PUT /v1/releases/3.0 {") == true, "\(bare)")
    #expect(try put("3.0", #"{"app":"a"}"#)["notes"] == nil)
  }
  /// A deployment that runs again starts no halted release again, whatever time it names.
  @Test(arguments: [
    #"{"app":"a"}"#, #"{"app":"a","publishedAt":"2025-03-02T12:00:00Z"}"#, #"{"app":"a","rollout":null}"#,
  ])
  func aHaltStaysUnlessStepsAreNamed(_ again: String) throws {
    let halted =
      #"{"app":"a","publishedAt":"2025-03-02T00:00:00Z","rollout":["#
      + #"{"at":"2025-03-02T00:00:00Z","percent":10},{"at":"2025-03-02T06:00:00Z","percent":0}]}"#
    _ = try put("3.0", halted)
    for _ in 0..<2 {
      let answer = try put("3.0", again)
      #expect(percents(answer) == [10, 0] && notes(answer)["steps_dropped"] == nil, "\(answer)")
      let said = notes(answer)["halt_kept"]
      #expect(said?.hasPrefix("it is halted (0% at 2025-03-02 06:00 UTC), and stays so") == true, "\(answer)")
    }
    let open = try put("3.0", #"{"app":"a","rollout":[]}"#)
    #expect(percents(open).isEmpty && notes(open)["halt_kept"] == nil, "\(open)")
    #expect(notes(open)["steps_dropped"] != nil, "\(open)")
  }

  /// A job that publishes runs again, with a step of now, after somebody halted the release.
  @Test func aPublicationThatEndsAHaltIsTold() throws {
    func steps(_ hour: Int, _ more: String = "") -> String {
      #"{"app":"a","publishedAt":"2025-03-02T00:00:00Z","rollout":[{"at":"2025-03-02T0\#(hour):00:00Z","percent":10}\#(more)]}"#
    }
    let halt = #",{"at":"2025-03-02T06:00:00Z","percent":0}"#
    #expect(try notes(put("3.0", steps(1)))["opens_again"] == nil)
    #expect(try notes(put("3.0", steps(1, halt)))["opens_again"] == nil)
    let again = try notes(put("3.0", steps(7)))
    let why = "it was halted at 2025-03-02 06:00 UTC, and this opens it again, as if it had never been halted"
    #expect(again["opens_again"]?.hasPrefix(why) == true, "\(again)")
    #expect(again["steps_dropped"]?.contains("to go on from them") == false, "\(again)")
  }

  /// A pipeline adds a step to what it knew, and somebody halted the release meanwhile.
  @Test func aStepBehindAHaltIsTold() throws {
    let steps =
      #"{"at":"2025-03-02T00:00:00Z","percent":10},{"at":"2025-03-02T06:00:00Z","percent":0}"#
    let (begin, more) = (
      #"{"app":"a","publishedAt":"2025-03-02T00:00:00Z","rollout":["#, #",{"at":"2025-03-02T12:00:00Z","percent":100}"#
    )
    #expect(try notes(put("3.0", "\(begin)\(steps)]}"))["opens_again"] == nil)
    #expect(try notes(put("3.0", "\(begin)\(steps)]}"))["opens_again"] == nil)
    let opened = try put("3.0", "\(begin)\(steps)\(more)]}")
    let said = notes(opened)["opens_again"]
    #expect(
      said?.hasPrefix(
        "it was halted at 2025-03-02 06:00 UTC, and the step to 100% at 2025-03-02 12:00 UTC opens it again; to halt it as before: PUT"
      ) == true, "\(opened)")
    #expect(try notes(put("3.0", "\(begin)\(steps)\(more)]}"))["opens_again"] == nil, "it is open")
  }

  private func percents(_ answer: [String: Any]) -> [Double] {
    (answer["rollout"] as? [[String: Any]] ?? []).compactMap { $0["percent"] as? Double }
  }
}
