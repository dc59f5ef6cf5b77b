import Lifecycle
import Store
import Testing

@testable import Query

/// Whoever runs a halted release and was not heard of since the halt may run anything by now.
@Suite struct UnheardHaltTests {
  /// 60 devices that launched 2.0.0, of which some speak after its halt, and 40 that got rid of it.
  private static func scenario(speaking last: String) throws -> Scenario {
    try Scenario(
      """
      publish 1.0.0 at -10d
      publish 2.0.0 at 0h rollout=100%@0h,0%@3h
      publish 2.1.0 at 24h
      now 51h
      devices silent 59 bucket=5
        -1h  check 1.0.0 foreground
        1h   applied 2.0.0 foreground
      devices last 1 bucket=5
        -1h      check 1.0.0 foreground
        1h       applied 2.0.0 foreground
        \(last)  check 2.0.0 foreground
      devices mended 40 bucket=5
        -1h  check 1.0.0 foreground
        1h   applied 2.0.0 foreground
        25h  applied 2.1.0 foreground
        50h30m check 2.1.0 foreground
      """, file: "unheard")
  }

  @Test(arguments: [("2h", "; none of these was heard of since"), ("50h", "; 1 of these was heard of since")])
  func whoWasHeardOfSinceIsTold(_ last: String, _ words: String) throws {
    let scenario = try Self.scenario(speaking: last)
    let fleet = try scenario.fleet()
    func stillRun() throws -> Verdict.StillRun? {
      let snapshot = try Snapshot(path: fleet.path)
      let scope = try FleetScope(
        snapshot.vocabulary, app: nil, release: ReleaseLabel(rawValue: "2.0.0"), now: scenario.epoch + .hours(51))
      return try Verdict.answer(snapshot, scope).data.first?.stillRun
    }
    let found = try #require(try stillRun())
    #expect(found.running == 60 && found.launched == 100, "\(found)")
    #expect(found.sentence.hasPrefix("60 of 100 devices that launched it still run it as of "), "\(found.sentence)")
    #expect(found.sentence.hasSuffix(words), "\(found.sentence)")
    try Summary.refresh(path: fleet.path)
    #expect(try stillRun()?.sentence == found.sentence)
  }
}
