import Foundation
import Testing

/// What takes events in stopped: a pipeline is not told that a release surely falls short.
@Suite struct SilentGateTests {
  /// Forty devices speak every three hours for ten days. 2.0.0 came a day before the end, and four have it.
  private static let fleet = Result {
    try QuestionsFleet(
      (0..<40).flatMap { device in
        (0..<80).map { turn in line(device, "check", hours: 3 * turn, "1.0.0") }
          + (device < 4 ? [line(device, "applied", hours: 220, "2.0.0")] : [])
      }.joined(separator: "\n"),
      publications: [["1.0.0", "2025-03-01T00:00:00Z"], ["2.0.0", "2025-03-10T02:00:00Z"]].map {
        [$0[0], "--app", "a", "--at", $0[1]]
      }, now: now)
  }
  private static let now = "2025-03-12T08:00:00Z"

  private static func line(_ device: Int, _ stage: String, hours: Int, _ release: String) -> String {
    let at = String(format: "2025-03-%02dT%02d:%02d:00Z", 1 + hours / 24, hours % 24, device)
    return
      #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"\#(at)","received":"\#(at)","release":"\#(release)","platform":"ios"}"#
  }

  @Test(arguments: [
    ["adoption", "2.0.0", "--require", "adoption@12h.lo>=0.9"],
    ["adoption", "2.0.0", "--require", "adoption@12h>=0.9"],
    ["mechanisms", "2.0.0", "--require", "waiting@12h<0.1"],
  ]) func isNotCalledShort(_ words: [String]) throws {
    let fleet = try Self.fleet.get()
    let silent = try fleet.ask(words)
    #expect(silent.status == 4 && silent.errors.contains("no device was heard of lately"), "\(silent.errors)")
    let before = try Binary.start(
      Binary.path, words + ["--db", fleet.database, "--now", "2025-03-10T21:30:00Z"])
    #expect(before.status == 3 && before.errors.contains("gate NOT met"), "\(before.errors)")
  }

  /// What failed is known as far as anybody spoke: the answer stays, and says so.
  @Test func whatHoldsIsOfThatTime() throws {
    let fleet = try Self.fleet.get()
    let words = ["failures", "2.0.0", "--require", "rate.hi<=0.9"]
    let silent = try fleet.ask(words)
    let told = "; no device was heard of lately, and what happened since is not known"
    #expect(silent.status == 0 && silent.errors.contains(told), "\(silent.errors)")
    let before = try Binary.start(Binary.path, words + ["--db", fleet.database, "--now", "2025-03-10T05:30:00Z"])
    #expect(before.status == 0 && before.errors.contains("gate met"), "\(before.errors)")
    #expect(!before.errors.contains("heard of lately"), "\(before.errors)")
  }

  /// More updates would only break it further; and one that holds may not.
  @Test func isNotCalledLow() throws {
    let fleet = try Self.fleet.get()
    let broken = try fleet.ask("adoption", "2.0.0", "--require", "adoption@12h<0.05")
    #expect(broken.status == 3 && broken.errors.contains("gate NOT met"), "\(broken.errors)")
    let kept = try fleet.ask("adoption", "2.0.0", "--require", "adoption@12h<0.5")
    #expect(kept.status == 4 && kept.errors.contains("no device was heard of lately"), "\(kept.errors)")
  }
}
