import Console
import Foundation
import Lifecycle
import Store
import Testing

@testable import Answers

/// A newer release that hardly anybody may have yet takes no device away from the one before: its harm goes on.
struct CanaryTests {
  private static let first = Timestamp(rawValue: 1_740_816_000_000)  // 2025-03-01T08:00:00Z

  /// 400 devices that launch 2.0 on the third day; half of them go back to 1.0 an hour later, where it harms. On the fourth day 3.0 comes.
  private func database(_ canary: [RolloutStep], bad: [RolloutStep] = [], harms: Bool) throws -> Database {
    let phones = (0..<400).map { number in
      func line(_ stage: String, _ release: String, _ at: String) -> String {
        #"{"device":"d\#(number)","platform":"ios","stage":"\#(stage)","release":"\#(release)","at":"2025-03-0\#(at):00:00Z"}"#
      }
      let launched = [line("check", "0.9", "1T07"), line("applied", "1.0", "1T09"), line("applied", "2.0", "3T09")]
      return (launched + (harms && number % 2 == 0 ? [line("rolledBack", "2.0", "3T10")] : [])).joined(separator: "\n")
    }
    let database = try Database(phones.joined(separator: "\n"))
    let registry = try Registry(path: database.path)
    for (label, at, steps) in [
      ("1.0", Self.first, []), ("2.0", Self.first + .days(2), bad), ("3.0", Self.first + .days(3), canary),
    ] {
      try registry.publish(
        Publication(
          app: "a", release: ReleaseLabel(rawValue: label), channel: "production", publishedAt: at, rollout: steps),
        now: at)
    }
    return database
  }

  /// By release the condition of each row.
  private func verdicts(
    _ canary: [RolloutStep], _ words: [String] = [], bad: [RolloutStep] = [], harms: Bool = true
  ) throws -> [String: String] {
    let database = try database(canary, bad: bad, harms: harms)
    let text = try withExtendedLifetime(database) {
      try ask(["verdict"] + words + ["--now", "2025-03-04T09:00:00Z"], Snapshot(path: database.path))
    }
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let rows = document?["data"] as? [[String: Any]] ?? []
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0["release"] as? String ?? "", $0["condition"] as? String ?? "") })
  }

  private static let day = first + .days(3)

  @Test func theOthersStillHaveTheOneThatHarms() throws {
    let steps = [RolloutStep(at: Self.day, percent: 1), RolloutStep(at: Self.day + .days(2), percent: 100)]
    let found = try verdicts(steps)
    #expect(found == ["2.0": "rollingBack", "3.0": "stale"])
    #expect(try verdicts(steps, ["2.0"]) == ["2.0": "rollingBack"])
  }

  /// Widening the newer one takes devices off it, so it is no gate for that.
  @Test func itDecidesNothingForTheNewerOne() throws {
    let database = try database([RolloutStep(at: Self.day, percent: 1)], harms: true)
    func exit(_ words: [String]) throws -> ExitCode {
      try withExtendedLifetime(database) {
        try answer(["verdict"] + words + ["--now", "2025-03-04T09:00:00Z"], Snapshot(path: database.path)).exit
      }
    }
    #expect(try exit([]) == .notEnoughData)
    #expect(try exit(["2.0"]) == .gateNotMet)
  }

  @Test func andHaveItAgainOnceTheNewerOneIsHalted() throws {
    let steps = [RolloutStep(at: Self.day, percent: 100), RolloutStep(at: Self.day + .minutes(30), percent: 0)]
    #expect(try verdicts(steps) == ["2.0": "rollingBack", "3.0": "halted"])
  }

  /// Up to 50 % may have 2.0: those whom 3.0 leaves out, be it at 20 % or halted, still get it, and the others get 1.0. At 50 % of 3.0
  /// nobody does, nor once it is halted itself.
  @Test(arguments: [
    ([50.0], [20.0], true), ([50], [50], false), ([50], [80], false), ([50], [100, 0], true), ([50, 0], [20], false),
  ])
  func aPartStillGetsTheOneThatHarms(_ bad: [Double], _ canary: [Double], _ isGiven: Bool) throws {
    func steps(_ percents: [Double], from start: Timestamp) -> [RolloutStep] {
      percents.enumerated().map { RolloutStep(at: start + .minutes(Int64($0) * 20), percent: $1) }
    }
    let (old, new) = (steps(bad, from: Self.day - .days(1)), steps(canary, from: Self.day))
    #expect(try verdicts(new, bad: old)["2.0"] == (isGiven ? "rollingBack" : nil))
    #expect(try verdicts(new, ["2.0"], bad: old)["2.0"] == (isGiven ? "rollingBack" : "replaced"))
    #expect(try verdicts(new, ["1.0"], bad: old)["1.0"] != "replaced")
  }

  /// Of a part it is no gate: who waits for a verdict to widen it would widen it over the new one.
  @Test func aPartThatDoesNoHarmIsReplaced() throws {
    func steps(_ percent: Double, _ at: Timestamp) -> [RolloutStep] { [RolloutStep(at: at, percent: percent)] }
    let old = steps(50, Self.day - .days(1))
    #expect(try verdicts(steps(20, Self.day), ["2.0"], bad: old, harms: false) == ["2.0": "replaced"])
    #expect(try verdicts(steps(20, Self.day), ["2.0"], harms: false)["2.0"] != "replaced")
  }

  @Test func whoStillGetsItIsSaid() throws {
    let steps = { (percent: Double, at: Timestamp) in [RolloutStep(at: at, percent: percent)] }
    let database = try database(steps(20, Self.day), bad: steps(50, Self.day - .days(1)), harms: false)
    let said = try withExtendedLifetime(database) {
      try ask(["verdict", "2.0", "--now", "2025-03-04T09:00:00Z"], Snapshot(path: database.path))
    }
    #expect(said.contains("a newer release came to production, and not for all: others, up to 50%, still get this one"))
  }

  @Test func whatEverybodyMayHaveTakesItsPlace() throws {
    let steps = [RolloutStep(at: Self.day, percent: 1), RolloutStep(at: Self.day + .minutes(30), percent: 100)]
    #expect(try verdicts(steps).keys.sorted() == ["3.0"])
    #expect(try verdicts(steps, ["2.0"]) == ["2.0": "replaced"])
  }

  @Test func aSoundOneIsNoRowOfItsOwn() throws {
    let steps = [RolloutStep(at: Self.day, percent: 1)]
    #expect(try verdicts(steps, harms: false).keys.sorted() == ["3.0"])
    #expect(try verdicts(steps, ["2.0"], harms: false)["2.0"] != "replaced")
  }
}
