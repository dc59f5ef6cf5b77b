import Glibc
import Lifecycle
import Testing

@testable import Query

/// Hours in which more failed, in fleets that try less and less often, of which some fail for no such reason.
@Suite struct FaultHoursTests {
  private static let level = 0.95
  private static let start = instant("2024-03-07T00:00:00Z")

  /// When each device tried, by the quarter of an hour since the publication: one in ten at once, the others within 4 hours in the mean.
  private static func times(_ count: Int, _ dice: inout Dice) -> [Int] {
    (0..<count).map { index in
      index < count / 10 ? 0 : Int(-16 * log(Double.random(in: 0.001..<1, using: &dice)))
    }
  }

  private static func quarters(_ times: [Int], fails: (Int) -> Bool) -> [Int64: WatchedAttempts] {
    times.indices.reduce(into: [:]) { quarters, index in
      quarters[FaultHours.quarter(start.rawValue) + Int64(times[index]), default: .init()]
        .add(WatchedAttempts(attempts: 1, failures: fails(index) ? 1 : 0), times: 1)
    }
  }

  private static func hours(_ attempts: [Int64: WatchedAttempts], after hours: Double = 100) -> FaultHours? {
    FaultHours(attempts, until: start + .minutes(Int64(hours * 60)), level: level)
  }

  /// Whoever looks at once is told of hours that are none in one of twenty cases at most.
  @Test(arguments: [1, 2, 3, 5, 10, 30]) func namesNoHoursWhereFailuresComeByChance(_ failures: Int) {
    var dice = Dice(state: UInt64(failures))
    let named = (0..<2000).count { _ in
      let times = Self.times(300, &dice)
      let failed = Set((0..<300).shuffled(using: &dice).prefix(failures))
      return Self.hours(Self.quarters(times, fails: failed.contains)) != nil
    }
    #expect(named <= 100, "\(named) of 2000")
  }

  /// All fail, at any time within their first hour: of the youngest it is not known yet.
  @Test func namesNoHoursWhereTheYoungestHadNoTimeToFail() {
    var dice = Dice(state: 7)
    for _ in 0..<200 {
      let times = Self.times(300, &dice).filter { $0 < 24 }
      let attempts = Self.quarters(times) { Int.random(in: 0..<4, using: &dice) < 24 - times[$0] }
      #expect(Self.hours(attempts, after: 6) == nil)
    }
  }

  /// Everything fails for half an hour, and one of fifty at other times; looked at as it goes on, and later.
  @Test(arguments: [(4, 1.5), (4, 100), (12, 3.5), (12, 100)])
  func namesAnOutage(_ first: Int, _ age: Double) throws {
    var dice = Dice(state: 11)
    for _ in 0..<200 {
      let times = Self.times(300, &dice).filter { Double($0) < age * 4 }
      let attempts = Self.quarters(times) { index in
        (first..<first + 2).contains(times[index]) || Int.random(in: 0..<50, using: &dice) == 0
      }
      let found = try #require(Self.hours(attempts, after: age), "\(attempts)")
      let quarter = Int(found.quarters.lowerBound - FaultHours.quarter(Self.start.rawValue))
      #expect((first...first + 1).contains(quarter))
    }
  }

  /// Nearly all that was ever tried fails: the release does, and not a server for the time being.
  @Test func theReleaseItselfIsNoOutage() {
    let times = Array(repeating: 0, count: 20) + (1...40).flatMap { Array(repeating: $0, count: 5) }
    #expect(Self.hours(Self.quarters(times) { times[$0] > 0 || $0 < 5 }) == nil)
  }
}
