import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// What few devices say lies where it can be.
@Suite struct SmallFleetTests {
  /// Three devices of 2.0.0: two get it by push, at the first hour and at the seventieth, one by hand in between.
  private static func fleet() throws -> (snapshot: Fleet, chosen: ReleaseScope) {
    let scenario = try Scenario(
      """
      publish 2.0.0 at 0h
      now 5d
      devices early 1
        -1h  check 1.0.0 foreground
        1h   applied 2.0.0 silentPush
      devices hand 1
        -1h  check 1.0.0 foreground
        20h  applied 2.0.0 foreground
      devices late 1
        -1h  check 1.0.0 foreground
        70h  applied 2.0.0 silentPush
      """, file: "small")
    let fleet = try scenario.fleet()
    return (fleet, try fleet.chosen("2.0.0", now: scenario.epoch + .days(5)))
  }

  @Test func differencesOfMechanismsAreAtMostAll() throws {
    let (fleet, chosen) = try Self.fleet()
    let row = try #require(try Mechanisms.answer(try Snapshot(path: fleet.path), chosen).data.first)
    let differences = row.ages.flatMap(\.differences).map(\.share)
    #expect(!differences.isEmpty)
    for difference in differences {
      #expect((difference.lo ?? 0) >= -1 && (difference.hi ?? 0) <= 1, "\(difference)")
    }
  }

  @Test func meanWaitsLieWithinTheirHorizon() throws {
    let (fleet, chosen) = try Self.fleet()
    let snapshot = try Snapshot(path: fleet.path)
    let adoption = try #require(try Adoption.answer(snapshot, chosen).data.first)
    let time = try #require(try TimeToUpdate.answer(snapshot, chosen).data.first)
    for mean in adoption.restrictedMeans {
      #expect((mean.seconds.lo ?? 0) >= 0 && (mean.seconds.hi ?? 0) <= Double(mean.horizonSeconds), "\(mean)")
    }
    let mean = time.restrictedMean
    #expect((mean.seconds.lo ?? 0) >= 0 && (mean.seconds.hi ?? 0) <= Double(mean.horizonSeconds), "\(mean)")
  }
}
