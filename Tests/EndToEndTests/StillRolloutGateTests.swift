import Foundation
import Testing

/// A pipeline that waits for a rollout at 0 % is told so: no time makes the condition hold.
@Suite struct StillRolloutGateTests {
  private static func fleet(_ steps: String) throws -> QuestionsFleet {
    let lines = (0..<100).flatMap { device in
      ["01T08", "02T07", "03T09", "05T07"].map { line(device, "check", "2025-03-\($0):00:00Z", "1.0.0") }
        + (device < 20 ? [line(device, "applied", "2025-03-02T10:00:00Z", "2.0.0")] : [])
    }
    return try QuestionsFleet(
      lines.joined(separator: "\n"),
      publications: [
        ["1.0.0", "--app", "a", "--at", "2025-02-01T08:00:00Z"],
        ["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z", "--rollout", steps],
      ], now: "2025-03-05T09:00:00Z")
  }

  private static func line(_ device: Int, _ stage: String, _ at: String, _ release: String) -> String {
    #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"\#(at)","release":"\#(release)","platform":"ios","bucket":\#(device)}"#
  }

  private static let halted = "the rollout stands at 0%: no other device gets it, and time alone changes nothing"
  private static let reopened = "the rollout stood at 0% for a time, and who waited through that counts as waiting"

  @Test func isNamed() throws {
    let (halted, reopened) = (try Self.fleet("50%@0h,0%@6h"), try Self.fleet("50%@0h,0%@6h,50%@30h"))
    let plain = try Self.fleet("50%@0h")
    for (words, status) in [
      (["adoption", "2.0.0", "--require", "adoption@24h>=0.9"], 4), (["reach", "2.0.0", "--require", "reach>=0.9"], 3),
    ] as [([String], Int32)] {
      let result = try halted.ask(words)
      #expect(result.status == status && result.errors.contains("; " + Self.halted), "\(result.errors)")
    }
    let adoption = ["adoption", "2.0.0", "--require", "adoption@24h>=0.9"]
    let again = try reopened.ask(adoption)
    #expect(again.status == 3 && again.errors.contains("; " + Self.reopened), "\(again.errors)")
    let (missed, met) = (try plain.ask(adoption), try halted.ask("adoption", "2.0.0", "--require", "adoption@1h<0.9"))
    #expect(missed.status == 3 && !missed.errors.contains("stood at 0%") && !met.errors.contains("stands at 0%"))
  }
}
