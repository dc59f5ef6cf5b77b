import Lifecycle
import Store
import Testing

@testable import Query

/// Who waits through a halt was let wait: a release is called neither slower for one of its own, nor faster for one of the release before.
@Suite struct PausedSpeedTests {
  @Test(arguments: [
    ("", "faster than before"),
    (
      " rollout=100%@0h,0%@1h,100%@40h",
      "whether it is faster than 1.0.0 cannot be told: the rollout of 1.0.0 stood at 0%"
    ),
  ])
  func isNotFasterThanOneThatWasHalted(_ before: String, _ said: String) throws {
    let scenario = try Scenario(
      """
      publish 1.0.0 at -240h\(before)
      publish 2.0.0 at 0h
      now 13h
      devices early 20 bucket=5
        -11d            check 0.9.0 foreground
        -239h30m        applied 1.0.0 foreground
        -1h             check 1.0.0 foreground
        2h every 1m     applied 2.0.0 foreground
      devices late 40 bucket=5
        -11d            check 0.9.0 foreground
        -199h           applied 1.0.0 foreground
        -1h             check 1.0.0 foreground
        2h every 1m     applied 2.0.0 foreground
      devices waiting 40 bucket=5
        -11d            check 0.9.0 foreground
        -199h           applied 1.0.0 foreground
        -1h             check 1.0.0 foreground
        12h50m          check 1.0.0 foreground
      """, file: "paused")
    let (fleet, now) = (try scenario.fleet(), scenario.epoch + .hours(13))
    #expect(try Self.speed(fleet, now).hasPrefix(said))
    let adoption = try Adoption.answer(Snapshot(path: fleet.path), try fleet.chosen("2.0.0", now: now))
    let paused = adoption.warnings.filter { $0.code == "rollout_paused" }.map(\.message)
    #expect(paused.count == (before.isEmpty ? 0 : 1) && paused.allSatisfy { $0.contains("the rollout of 1.0.0 stood") })
  }

  /// Behind by less than the margin for certain, so no reason to wait: words are told all the same.
  @Test(arguments: [
    ("100%@0h", "slower than before"),
    ("100%@0h,0%@2h,100%@4h", "whether it is slower than 1.0.0 cannot be told: its rollout stood at 0%"),
  ])
  func isNotALittleSlowerForItsOwnHalt(_ rollout: String, _ said: String) throws {
    let scenario = try Scenario(
      """
      publish 1.0.0 at -10d
      publish 2.0.0 at 0h rollout=\(rollout)
      now 13h
      devices quick 900 bucket=5
        -11d            check 0.9.0 foreground
        -239h           applied 1.0.0 foreground
        -1h             check 1.0.0 foreground
        1h              applied 2.0.0 foreground
      devices late 30 bucket=5
        -11d            check 0.9.0 foreground
        -239h           applied 1.0.0 foreground
        -1h             check 1.0.0 foreground
        12h50m          applied 2.0.0 foreground
      devices never 70 bucket=5
        -11d            check 0.9.0 foreground
        -1h             check 0.9.0 foreground
        12h50m          check 0.9.0 foreground
      """, file: "paused")
    let speed = try Self.speed(try scenario.fleet(), scenario.epoch + .hours(13))
    #expect(speed.contains(said), "\(speed)")
  }

  private static func speed(_ fleet: Fleet, _ now: Timestamp) throws -> String {
    let snapshot = try Snapshot(path: fleet.path)
    let verdict = try #require(
      try Verdict.answer(snapshot, try FleetScope(snapshot.vocabulary, app: nil, now: now)).data.first)
    let speed = try #require(verdict.reasons.first { $0.subject == .speed })
    #expect(speed.condition == .healthy, "\(speed)")
    return speed.sentence
  }
}
