import Lifecycle
import Statistics
import Testing

@testable import Query

/// What the page on statistics says of attempts by exposure.
@Suite struct FailureTimesTests {
  private static let start = Timestamp(seconds: 1_709_539_200)

  /// Downloads fail after two minutes, launches come an hour after the start and are rolled back a minute later.
  private func harm(_ attempts: Int, downloads: Int, rollbacks: Int, launched: Int, watched: Milliseconds)
    -> AttemptHarm
  {
    var harm = AttemptHarm()
    for place in 0..<attempts {
      let launch = place < launched ? Self.start + .hours(1) : nil
      let failure: (Timestamp, Bool, Timestamp)? =
        if place < rollbacks {
          (Self.start + .minutes(61), true, Self.start + .minutes(61))
        } else if place >= attempts - downloads {
          (Self.start + .minutes(2), false, Self.start + .minutes(2))
        } else {
          nil
        }
      harm.watch(start: Self.start, launch: launch, failure: failure, Self.start + watched)
    }
    return harm
  }

  private func test(_ own: AttemptHarm, _ past: AttemptHarm) -> AttemptTest {
    AttemptTest(.init(own: own, past: [past], looks: nil), limit: FailureLimit(configured: 0.034), alpha: 0.05)
  }

  @Test func mostOfThemAreNotLaunchedYet() throws {
    let past = harm(15_000, downloads: 150, rollbacks: 150, launched: 14_850, watched: .days(3))
    let found = test(harm(600, downloads: 31, rollbacks: 0, launched: 100, watched: .hours(2)), past)
    #expect(abs(try #require(found.permitted) - 16.3) < 0.1)
    #expect(abs(found.evidenceAbove - 3.6) < 0.1 && found.stops)
    let share = MixtureTest(limit: FailureLimit(configured: 0.034)).evidenceAbove(Proportion(31, of: 600))
    #expect(abs(share - 1.2) < 0.06)
  }

  /// Two of forty downloads fail where past releases failed at the launch alone: half of the limit may come at once.
  @Test func failuresMayComeSooner() throws {
    let past = harm(15_000, downloads: 0, rollbacks: 300, launched: 15_000, watched: .days(3))
    let found = test(harm(40, downloads: 2, rollbacks: 0, launched: 0, watched: .hours(2)), past)
    #expect(try #require(found.permitted) > 40 * 0.016 && !found.stops)
  }

  /// 8 of 400 crash at the launch, where past releases crashed 20 hours after it and their limit is some 2 %: no more than it permits.
  @Test func crashesMayComeSooner() {
    func harm(_ launches: Int, crashes: Int, after age: Milliseconds, watched: Milliseconds) -> Harm {
      var harm = Harm()
      for place in 0..<launches { harm.add(place < crashes ? age : nil, watchedFor: watched) }
      return harm
    }
    let past = (harm(4000, crashes: 40, after: .hours(20), watched: .days(2)), LaunchCounts(launched: 4000))
    func stops(_ crashes: Int) -> Bool {
      let own = harm(400, crashes: crashes, after: .minutes(1), watched: .hours(1))
      return HarmTest(own, 400, past: [past], limit: 0.05, level: 0.95).stops
    }
    #expect(!stops(8) && stops(24))
  }
}
