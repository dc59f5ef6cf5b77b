import Foundation
import HTTP
import Lifecycle
import Store
import Testing

@testable import Server

/// A halt over HTTP that is none, or not for good, is told whoever sent it: at 2025-03-03 00:00 by the service's clock.
struct HaltNotesTests {
  private let served: ServedDatabase

  init() throws { served = try ServedDatabase() }

  private func put(_ steps: [(String, Int)]) throws -> [String: Any] {
    let rollout = steps.map { #"{"at":"2025-03-0\#($0)Z","percent":\#($1)}"# }.joined(separator: ",")
    return try put(#"{"app":"a","publishedAt":"2025-03-02T00:00:00Z","rollout":[\#(rollout)]}"#)
  }

  private func put(_ body: String) throws -> [String: Any] {
    let response = served.ask("PUT", "/v1/releases/2.0", body)
    try #require(response.status == 200, "\(response.text)")
    return try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
  }

  private func notes(_ answer: [String: Any]) -> [String: String] {
    let notes = answer["notes"] as? [[String: String]] ?? []
    return Dictionary(notes.map { ($0["code"] ?? "", $0["message"] ?? "") }) { first, _ in first }
  }

  static let voided: [(before: [(String, Int)], steps: [(String, Int)], code: String, says: String)] = [
    (
      [("2T00:00:00", 30), ("2T23:59:47", 50)], [("2T00:00:00", 30), ("2T23:57:47", 0), ("2T23:59:47", 50)],
      "halt_not_in_force",
      "its halt at 2025-03-02 23:57 UTC is not in force: the step to 50% at 2025-03-02 23:59 UTC comes after it, and 50% of devices"
    ),
    (
      [("2T00:00:00", 10), ("4T00:00:00", 50), ("5T00:00:00", 100)],
      [("2T00:00:00", 10), ("3T00:00:00", 0), ("4T00:00:00", 50), ("5T00:00:00", 100)], "halt_ends",
      "its halt at 2025-03-03 00:00 UTC ends by itself: the step to 50% at 2025-03-04 00:00 UTC opens it again"
    ),
    (
      [("2T00:00:00", 10)], [("2T00:00:00", 10), ("3T00:10:00", 0)], "halt_ahead",
      "its halt comes only in 10m, at 2025-03-03 00:10 UTC: until then 10% of devices may have it"
    ),
  ]

  /// By clocks of other machines, and before planned steps. What is advised is a halt, and nothing is odd about it.
  @Test(arguments: voided) func aHaltThatIsNone(
    _ row: (before: [(String, Int)], steps: [(String, Int)], code: String, says: String)
  ) throws {
    _ = try put(row.before)
    let answer = try put(row.steps)
    let said = try #require(notes(answer)[row.code], "\(answer)")
    #expect(said.hasPrefix(row.says), "\(said)")
    let advised = try #require(said.split(separator: "PUT /v1/releases/2.0 ").last)
    let halted = try put(String(advised))
    #expect((halted["rollout"] as? [[String: Any]])?.last?["percent"] as? Double == 0, "\(halted)")
    #expect(Set(notes(halted).keys).isSubset(of: ["steps_dropped"]), "\(halted)")
  }

  /// A clock that is half a minute ahead, and a halt that is sent again.
  @Test(arguments: [
    [("2T23:59:59", 0)], [("3T00:00:00", 0)], [("3T00:00:30", 0)], [("2T12:00:00", 0), ("3T00:00:00", 0)],
  ]) func aHaltIsNoSlip(_ halts: [(String, Int)]) throws {
    _ = try put([("2T00:00:00", 10)])
    for _ in 0..<2 { #expect(try put([("2T00:00:00", 10)] + halts)["notes"] == nil) }
  }

  /// As of `curl --retry`, where the first answer was lost.
  @Test(arguments: voided) func aHaltThatIsNoneIsToldWheneverItIsSent(
    _ row: (before: [(String, Int)], steps: [(String, Int)], code: String, says: String)
  ) throws {
    _ = try put(row.before)
    let first = notes(try put(row.steps))
    #expect(first[row.code] != nil)
    for _ in 0..<2 { #expect(try notes(put(row.steps))[row.code] == first[row.code]) }
  }

  /// Planned steps let more devices have it than those of now.
  @Test(arguments: [
    ([("2T00:00:00", 10), ("4T00:00:00", 50), ("7T00:00:00", 0)], "until then up to 50% of devices may have it"),
    ([("2T00:00:00", 10), ("4T00:00:00", 50), ("5T00:00:00", 40), ("7T00:00:00", 0)], "until then up to 50% of"),
    ([("4T00:00:00", 20), ("7T00:00:00", 0)], "until then up to 20% of devices may have it"),
    ([("2T00:00:00", 10), ("7T00:00:00", 0), ("8T00:00:00", 50)], "until then 10% of devices may have it"),
  ]) func theHighestShareUntilAHaltIsTold(_ steps: [(String, Int)], _ says: String) throws {
    _ = try put(steps.filter { $0.1 > 0 })
    let said = try #require(notes(try put(steps))["halt_ahead"])
    #expect(said.contains(says), "\(said)")
  }

  /// Nobody halts anything: a beginning at 0, a pause that is told afterwards, and one that the same request ends.
  @Test(arguments: [
    ([], [("2T00:00:00", 0), ("2T06:00:00", 10)]),
    ([], [("2T23:50:00", 0), ("2T23:55:00", 10)]),
    ([("4T00:00:00", 10)], [("3T00:00:00", 0), ("4T00:00:00", 10)]),
    ([("2T00:00:00", 10)], [("2T00:00:00", 10), ("2T12:00:00", 0), ("2T22:30:00", 50)]),
    ([("2T00:00:00", 10), ("2T22:30:00", 50)], [("2T00:00:00", 10), ("2T12:00:00", 0), ("2T22:30:00", 50)]),
    ([("2T00:00:00", 10)], [("2T00:00:00", 10), ("2T23:50:00", 0), ("2T23:59:00", 50)]),
  ]) func aHaltThatIsOverIsNoSlip(_ before: [(String, Int)], _ steps: [(String, Int)]) throws {
    _ = try put(before)
    for _ in 0..<2 {
      let notes = notes(try put(steps))
      #expect(notes.keys.allSatisfy { !$0.hasPrefix("halt_") }, "\(notes)")
    }
  }

  /// Its first step was taken a minute ago, by a clock that is two minutes ahead of that of the halt.
  @Test func aHaltBeforeTheFirstStepIsTold() throws {
    _ = try put([("2T23:59:00", 10)])
    #expect(try notes(put([("2T23:58:00", 0), ("2T23:59:00", 10)]))["halt_not_in_force"] != nil)
  }

  /// Another halt behind it is in force.
  @Test func aHaltBeforeAnotherIsNoSlip() throws {
    _ = try put([("2T00:00:00", 10), ("2T23:50:00", 50), ("2T23:59:00", 0)])
    #expect(
      try put([("2T00:00:00", 10), ("2T23:40:00", 0), ("2T23:50:00", 50), ("2T23:59:00", 0)])["notes"] == nil)
  }

  /// Its history is told at once: nobody halts anything.
  @Test func aPauseThatIsOverIsNoSlipOfANewRelease() throws {
    #expect(try put([("2T00:00:00", 10), ("2T06:00:00", 0), ("2T12:00:00", 50)])["notes"] == nil)
  }

  /// A halt that is sent as the only step takes the release from all who had it.
  @Test func whatWasForEverybodyAndIsNot() throws {
    _ = try put(#"{"app":"a","publishedAt":"2025-03-02T00:00:00Z"}"#)
    let answer = try put([("3T00:00:00", 0)])
    let said = try #require(notes(answer)["first_step_late"], "\(answer)")
    #expect(
      said.hasPrefix(
        "it was for everybody from 2025-03-02 00:00 UTC on, and its first step comes only at 2025-03-03 00:00 UTC: devices that had it"
      ), "\(said)")
    _ = try put(#"{"app":"a","publishedAt":"2025-03-02T00:00:00Z","rollout":[]}"#)
    let advised = try #require(said.split(separator: "PUT /v1/releases/2.0 ").last)
    let kept = try put(String(advised))
    #expect((kept["rollout"] as? [[String: Any]])?.compactMap { $0["percent"] as? Double } == [100, 0])
    #expect(kept["notes"] == nil, "\(kept)")
  }
}
