import Foundation
import Testing

/// Who lets more devices have a release that is to be stopped is told, and is led no further.
@Suite struct StoppedReleaseTests {
  /// 40 devices that go from 1.0 to 2.0, of which every second one crashes, or none.
  private static func fleet(crashing nth: Int, isRegistered: Bool = true) throws -> QuestionsFleet {
    let events = (0..<40).flatMap { number in
      let crash = nth > 0 && number % nth == 0 ? [("crashed", "09:30")] : []
      let before =
        #"{"app":"a","device":"d\#(number)","stage":"applied","at":"2025-03-01T09:00:00Z","release":"1.0","platform":"ios"}"#
      return [before]
        + ([("downloadStarted", "08:50"), ("applied", "09:00")] + crash).map { stage, at in
          #"{"app":"a","device":"d\#(number)","stage":"\#(stage)","at":"2025-03-02T\#(at):00Z","release":"2.0","platform":"ios"}"#
        }
    }
    let steps = ["2.0", "--app", "a", "--at", "2025-03-02T08:00:00Z", "--rollout", "10%@0h"]
    let first = ["1.0", "--app", "a", "--at", "2025-03-01T08:00:00Z"]
    return try QuestionsFleet(
      events.joined(separator: "\n"), publications: isRegistered ? [first, steps] : [first], now: "2025-03-02T12:00:00Z"
    )
  }

  @Test(arguments: [
    (2, ["50"], true), (10, ["50"], false), (10, ["50", "--harm-limit", "0.1%"], true), (0, ["50"], false),
  ])
  func wideningItIsTold(_ nth: Int, _ words: [String], _ isTold: Bool) throws {
    let said = try Self.fleet(crashing: nth).ask(["release", "widen", "2.0"] + words)
    #expect(said.status == 0 && said.output.contains("50%@4h"), "\(said)")
    #expect(said.errors.contains("to go on, when it is time") == !isTold, "\(said.errors)")
    #expect(said.errors.contains("to take it back: "), "\(said.errors)")
    let stop =
      "the verdict of 2.0 on production is stop: \(nth == 2 ? 20 : 4) of 40 devices that launched it crashed within a day"
    #expect(said.errors.contains(stop) == isTold, "\(said.errors)")
    #expect(said.errors.contains(": uptake verdict 2.0 --app a --channel production --db ") == isTold)
  }

  /// What halts it before its next step opens goes to the database that was asked.
  @Test func theStepAheadIsHaltedThere() throws {
    let fleet = try Self.fleet(crashing: 2)
    let planned = ["release", "publish", "2.0", "--app", "a", "--rollout", "10%@0h,50%@24h"]
    try #require(try fleet.ask(planned).status == 0)
    let halt = "uptake release halt 2.0 --app a --channel production"
    for question in [["verdict", "2.0"], ["status"]] {
      let said = try fleet.ask(question + ["--format", "table"]).output
      #expect(said.contains("\(halt) --db \(fleet.database)"), "\(said)")
    }
    #expect(try fleet.ask("verdict", "2.0", "--json").output.contains("opens unless it is halted: \(halt)\""))
  }

  /// A platform with a publication of its own is told of, and not to be widened either.
  @Test(arguments: [2, 0]) func noOtherPlatformIsWidened(_ nth: Int) throws {
    let fleet = try Self.fleet(crashing: nth)
    let apart = ["release", "publish", "2.0", "--app", "a", "--platform", "ios", "--at", "2025-03-02T08:00:00Z"]
    #expect(try fleet.ask(apart + ["--rollout", "10%@0h"]).status == 0)
    let said = try fleet.ask("release", "widen", "2.0", "50")
    let left = "production/ios has a publication of its own, and stays at 10%"
    #expect(said.errors.contains("\(left)\(nth > 0 ? "\n" : ": uptake release widen")"), "\(said.errors)")
  }

  /// What is registered again goes no further.
  @Test(arguments: [("10%@0h,50%@4h", true), ("10%@0h,50%@24h", true), ("10%@0h", false), ("5%@0h", false)])
  func publishingAFurtherStepIsTold(_ steps: String, _ isTold: Bool) throws {
    let fleet = try Self.fleet(crashing: 2)
    let said = try fleet.ask("release", "publish", "2.0", "--app", "a", "--rollout", steps)
    #expect(said.status == 0, "\(said)")
    #expect(
      said.errors.contains("note: the verdict of 2.0 on production is stop: 20 of 40") == isTold, "\(said.errors)")
  }

  /// The newest release that is registered harms nobody.
  @Test(arguments: ["go-on", "no-stop"]) func aGateSeesWhatNobodyRegistered(_ required: String) throws {
    let gate = try Self.fleet(crashing: 2, isRegistered: false).ask("status", "--require", required)
    #expect(gate.status == 3 && gate.output.contains("\t2.0\tstop\tcrashing\t"), "\(gate)")
    #expect(try Self.fleet(crashing: 0, isRegistered: false).ask("status", "--require", "no-stop").status == 0)
  }

  /// A developer's phone, and labels that somebody made up, do not take it out of sight.
  @Test func laterBuildsOfOneDeviceEndNoStop() throws {
    let fleet = try Self.fleet(crashing: 2, isRegistered: false)
    let later = (1...6).map {
      #"{"app":"a","device":"dev\#($0)","stage":"applied","release":"2.\#($0)","at":"\#(fleet.now)"}"#
    }
    let path = fleet.database + ".more"
    try later.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try fleet.ask("import", path).status == 0)
    for question in [["verdict"], ["status", "--require", "no-stop"]] {
      #expect(try fleet.ask(question).status == 3, "\(question)")
    }
  }
}
