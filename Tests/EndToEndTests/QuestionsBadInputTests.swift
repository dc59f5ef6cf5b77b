import Foundation
import Testing

/// Questions on data that are thin, empty or wrong: an answer that says why, or a refusal that helps; never a bare 0 %.
struct QuestionsBadInputTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    /// Device, stage, hour after publication, and the rest of the event.
    var events: [(device: String, stage: String, hour: Double, more: String)] = Self.three
    var publications = [["2.0.0", "--at", "2025-03-01T00:00:00Z"]]
    var now = "2025-03-03T00:00:00Z"
    var question = ["time-to-update", "2.0.0"]
    var status: Int32 = 0
    /// What must stand in the table or on standard error.
    var says: [String]
    var saysNot: [String] = []
    var testDescription: String { name }

    /// Three phones check in; two update after 2 and 5 hours.
    static let three: [(device: String, stage: String, hour: Double, more: String)] =
      check("a") + check("b") + check("c") + [("a", "applied", 2, ""), ("b", "applied", 5, "")]

    /// Within a quarter of an hour half of them fail to get it.
    static let failing: [(device: String, stage: String, hour: Double, more: String)] = {
      var events: [(device: String, stage: String, hour: Double, more: String)] = []
      for index in 0..<40 {
        events += check("d\(index)")
        events.append(("d\(index)", "downloadStarted", 0.2, ""))
        if index % 2 == 0 { events.append(("d\(index)", "failed", 0.22, #","reason":"networkLost""#)) }
      }
      return events
    }()

    static func check(_ device: String) -> [(device: String, stage: String, hour: Double, more: String)] {
      [(device, "check", -1, #","release":"1.0.0""#), (device, "check", 1, #","release":"1.0.0""#)]
    }

    /// The release before, too.
    static let two = [["1.0.0", "--at", "2025-02-01T00:00:00Z"], ["2.0.0", "--at", "2025-03-01T00:00:00Z"]]
    /// A push speaks of a release that nobody ever had.
    static let neverOut = three + [("a", "pushSent", 3, #","release":"0.9.0","push":"1""#)]
  }

  static let rows: [Row] = [
    Row(
      name: "an unknown release", question: ["time-to-update", "2.0.1"], status: 2,
      says: ["release \"2.0.1\" of com.example.demo is not in the database", "did you mean 2.0.0"]),
    Row(
      name: "a tag that no device can have", question: ["adoption", "2.0.0", "--by", "tag:my plan"], status: 2,
      says: ["--by: no device can have a tag \"my plan\"", "letters, digits"]),
    Row(
      name: "a tag without its name's sign, of all pushes", question: ["push", "--by", "tag:c!d"], status: 2,
      says: ["--by: no device can have a tag \"c!d\""]),
    Row(
      name: "a period that ends before it begins", question: ["push", "--since", "1d", "--until", "7d"], status: 2,
      says: [
        "--until: the period ends at 2025-02-24T00:00:00Z, which is not after its begin, 2025-03-02T00:00:00Z",
        "such as --since 7d --until 1d",
      ]),
    Row(
      name: "a period of nothing", question: ["wakeups", "--since", "1d", "--until", "1d"], status: 2,
      says: ["the period ends at"]),
    Row(
      name: "a period without pushes", question: ["push", "--since", "2025-02-01", "--until", "2025-02-02"], status: 4,
      says: ["no push from 2025-02-01 00:00 UTC to 2025-02-02 00:00 UTC"], saysNot: ["no push here"]),
    Row(
      name: "nobody published it", publications: [], says: ["nobody registered when 2.0.0 was published", "DEVICES"]),
    Row(
      name: "nobody at risk", publications: [["2.0.0", "--at", "2025-03-01T00:00:00Z", "--channel", "beta"]],
      status: 4, says: ["DEVICES", "no device was at risk"], saysNot: ["0.0%", "100.0%"]),
    Row(
      name: "one device", events: Row.check("a") + [("a", "applied", 2, "")], says: ["1 device: 1 updated", "2.0h"]),
    Row(
      name: "nobody updated", events: Row.check("a") + Row.check("b"), says: ["it has happened to none", "0 updated"],
      saysNot: ["100.0%"]),
    Row(
      name: "everybody updated",
      events: Row.check("a") + Row.check("b") + [("a", "applied", 2, ""), ("b", "applied", 3, "")],
      says: ["2 devices: 2 updated"], saysNot: ["100.0%"]),
    Row(
      name: "a field that no client names", question: ["time-to-update", "2.0.0", "--by", "appVersion"],
      says: ["APP VERSION", "unknown"]),
    Row(
      name: "an unknown channel", question: ["time-to-update", "2.0.0", "--channel", "prod"], status: 2,
      says: ["no device was ever on channel \"prod\"", "production"]),
    Row(
      name: "an unknown platform", question: ["time-to-update", "2.0.0", "--platform", "symbian"], status: 2,
      says: ["no device ever was on platform \"symbian\""]),
    Row(
      name: "an unknown app", question: ["time-to-update", "2.0.0", "--app", "com.example.dmo"], status: 2,
      says: ["app \"com.example.dmo\" is not in the database", "com.example.demo"]),
    Row(
      name: "all of them below the least", question: ["adoption", "2.0.0", "--min-cell", "5"], status: 4,
      says: ["fewer devices than --min-cell"], saysNot: ["0 devices", "0 updated"]),
    Row(
      name: "all updates below the least", question: ["mechanisms", "2.0.0", "--min-cell", "5"], status: 4,
      says: ["fewer devices than --min-cell"], saysNot: ["0 devices", "0 updated"]),
    Row(
      name: "a group below the least", question: ["time-to-update", "2.0.0", "--by", "channel", "--min-cell", "5"],
      status: 4, says: ["newest contact"], saysNot: ["3 devices"]),
    Row(
      name: "a channel of devices without a release", events: [("a", "wakeStarted", 1, "")], publications: [],
      question: ["releases", "--channel", "production"], status: 4, says: ["RELEASE"]),
    Row(
      name: "a limit that no number of failures can pass", question: ["failures", "2.0.0", "--limit", "100%"],
      status: 2,
      says: ["a limit lies between 0% and 100%"]),
    Row(
      name: "a limit that says nothing once something failed", question: ["failures", "2.0.0", "--limit", "0%"],
      status: 2,
      says: ["a limit lies between 0% and 100%"]),
    Row(
      name: "a grouping that does not exist", question: ["time-to-update", "2.0.0", "--by", "plattform"], status: 2,
      says: ["\"plattform\" is not one of", "did you mean platform?"]),
    Row(
      name: "clocks in the future",
      events: Row.three + [("d", "check", -1, #","release":"1.0.0""#), ("d", "applied", 500, "")],
      says: ["4 devices: 3 updated"]),
    Row(
      name: "ages beyond the data", question: ["adoption", "2.0.0", "--at", "1h,1000d"],
      says: ["later than the data reach"]
    ),
    Row(
      name: "nobody updated yet, adoption", events: Row.check("a") + Row.check("b"),
      question: ["adoption", "2.0.0", "--at", "24h"], says: ["0.0% (≤ "]),
    Row(
      name: "nobody updated yet, by mechanism",
      events: Row.check("a") + Row.check("b") + [("a", "ready", 2, #","trigger":"bgRefresh""#)],
      question: ["mechanisms", "2.0.0", "--at", "24h"], says: ["bgRefresh", "0.0% (≤ 84.2)", "100.0% (≥ 15.8)"],
      saysNot: ["BY 24h: it has happened to none"]),
    Row(
      name: "no wake-up overran",
      events: ["a", "b"].flatMap { device in
        [1, 9].flatMap { hour in
          [
            (device, "wakeStarted", hour, #","trigger":"bgRefresh""#),
            (device, "wakeFinished", hour, #","trigger":"bgRefresh","outcome":"noData","durationMs":5000"#),
          ]
        }
      }, question: ["wakeups"], says: ["0.0% (≤ 84.2)"], saysNot: ["OVERRAN: it has happened to none"]),
    Row(
      name: "everybody updated, adoption",
      events: Row.check("a") + Row.check("b") + [("a", "applied", 2, ""), ("b", "applied", 3, "")],
      question: ["adoption", "2.0.0", "--at", "2h,3h"], says: ["50.0% (", "100.0% (≥ 11.2)", "2 devices: 2 updated"],
      saysNot: ["it has happened to all"]),
    Row(
      name: "contradictory rollout",
      publications: [["2.0.0", "--at", "2025-03-01T00:00:00Z", "--rollout", "50%@0h,10%@24h"]],
      says: ["the rollout steps of 2.0.0 on production", "contradict each other: 10 % at"]),
    Row(
      name: "a halt", publications: [["2.0.0", "--at", "2025-03-01T00:00:00Z", "--rollout", "50%@0h,0%@24h"]],
      question: ["adoption", "2.0.0"], says: ["3 devices"], saysNot: ["contradict"]),
    Row(
      name: "half of all fail at once, judged", events: Row.failing, now: "2025-03-01T00:31:00Z",
      question: ["verdict", "2.0.0", "--limit", "5%"], status: 3,
      says: ["stop", "20 of 40 first attempts so far failed: 50.0% ("]),
    Row(
      name: "half of all fail at once", events: Row.failing, now: "2025-03-01T00:31:00Z",
      question: ["failures", "2.0.0", "--limit", "5%"], status: 4,
      says: ["STOP: the rate is above the limit of 5.0%: 20 of 40 first attempts failed so far, however young"]),
    Row(
      name: "half of all fail, before the next look", events: Row.failing, now: "2025-03-01T00:14:00Z",
      question: ["verdict", "2.0.0", "--limit", "5%"], status: 4,
      says: ["2025-03-01 00:15"]),
    Row(name: "itself", question: ["compare", "2.0.0", "2.0.0"], status: 2, says: ["cannot be compared with itself"]),
    Row(
      name: "an unknown baseline", question: ["compare", "2.0.0", "1.0.1"], status: 2, says: ["did you mean 1.0.0"]),
    Row(
      name: "an age that one of two has not reached", publications: Row.two,
      question: ["compare", "2.0.0", "1.0.0", "--at", "1h,40d"], status: 4,
      says: ["AGE", "1h", "not compared at 40d: 2.0.0 was followed for"]),
    Row(
      name: "no age that both have reached", publications: Row.two,
      question: ["compare", "2.0.0", "1.0.0", "--at", "40d"], status: 4, says: ["not compared at 40d"]),
    Row(
      name: "against one that was never out", events: Row.neverOut, publications: Row.two,
      question: ["compare", "2.0.0", "0.9.0"], status: 4,
      says: ["0.9.0 was not published on any channel", "0.9.0 is not followed yet at the cutoff"]),
    Row(
      name: "a verdict on what was never out", events: Row.neverOut, question: ["verdict", "0.9.0"], status: 4,
      says: ["0.9.0 was not published on any channel"]),
    Row(
      name: "a verdict without releases", events: [("a", "wakeStarted", 1, #","release":null"#)], publications: [],
      question: ["verdict"], status: 4, says: ["no release is known on any channel looked at"]),
    Row(name: "no attempt", question: ["failures", "1.0.0"], status: 4, says: ["no device has tried to get 1.0.0"]),
    Row(name: "too few to forecast", question: ["forecast", "2.0.0"], status: 4, says: ["fewer than 200 devices"]),
    Row(
      name: "reach of nobody", question: ["reach", "2.0.0", "--reach-window", "1h"], status: 4,
      says: ["no device was at risk"]),
    Row(name: "all there is", question: ["releases"], says: ["2.0.0", "complete"]),
    Row(
      name: "no pushes", question: ["push"], status: 4, says: ["the push server reported no push", "there were none"]),
    Row(name: "no wake-ups", question: ["wakeups"], status: 4, says: ["no device reported work in the background"]),
    Row(
      name: "no stage", question: ["funnel", "1.0.0"], status: 4, says: ["no device reported any stage of 1.0.0"]),
  ]

  @Test(arguments: rows) func says(_ row: Row) throws {
    let start = 1_740_787_200.0
    let lines = row.events.map { device, stage, hour, more in
      let release = more.contains("\"release\"") ? "" : #","release":"2.0.0""#
      return
        #"{"app":"com.example.demo","device":"\#(device)","stage":"\#(stage)","ts":\#(Int((start + hour * 3600) * 1000))\#(release)\#(more)}"#
    }
    let fleet = try QuestionsFleet(
      lines.joined(separator: "\n"), publications: row.publications.map { $0 + ["--app", "com.example.demo"] },
      now: row.now)
    let result = try fleet.ask(row.question + ["--format", "table"])
    let said = (result.output + result.errors).replacing(/\n */, with: " ")
    #expect(result.status == row.status, "\(said)")
    for words in row.says { #expect(said.contains(words), "\(words) is missing in: \(said)") }
    for words in row.saysNot { #expect(!said.contains(words), "\(words) stands in: \(said)") }
  }

  @Test(arguments: [
    (["push"], 2, "no database is named"), (["push", "--db", "/nowhere/x.db"], 5, "/nowhere"),
    (["push", "--db", "/etc/passwd"], 5, "/etc/passwd"), (["push", "--mechanism", "silentPush"], 2, "mechanism"),
    (["time-to-update", "--since", "7d", "2.0.0"], 2, "since"), (["time-to-update"], 2, "RELEASE"),
  ]) func refuses(_ words: [String], _ status: Int32, _ says: String) throws {
    let result = try Binary.start(Binary.path, words)
    #expect(result.status == status && result.output == "" && result.errors.contains(says), "\(result.errors)")
  }

  /// Rows for programs have no room for it, and JSON has it beside each number.
  @Test(arguments: [("tsv", true), ("csv", true), ("json", false)])
  func whyNothingIsSaidStandsBesideRows(_ format: String, _ isSaid: Bool) throws {
    let result = try QuestionsFleet.lung.get().ask("forecast", "2.0.0", "--format", format)
    #expect(result.status == 4 && result.errors.contains("forecast, error: fewer than three earlier") == isSaid)
  }

  @Test func anEmptyDatabaseSaysSo() throws {
    let fleet = try QuestionsFleet("", publications: [], now: "2025-03-03T00:00:00Z")
    let result = try fleet.ask("push")
    #expect(result.status == 4 && result.errors.contains("no events and no releases yet"))
  }
}
