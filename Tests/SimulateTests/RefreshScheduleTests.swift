import Lifecycle
import Testing

@testable import Simulate

struct RefreshScheduleTests {
  /// Schedules of 300 devices, each asked twenty times in a row.
  private static func gaps(
    of platform: Platform, _ client: Client = Client(), _ body: (Surroundings, Timestamp, Timestamp?) -> Void
  ) {
    let world = World(Scenario(), seed: 11)
    for number in 0..<300 {
      var random = Randomness(seed: 11, stream: UInt64(number))
      let traits = Traits(number: number, in: world.scenario, seed: 11, &random)
      guard traits.platform == platform else { continue }
      let surroundings = Surroundings(traits: traits, offline: 0.04)
      var now = world.start
      for _ in 0..<20 {
        let schedule = RefreshSchedule(
          surroundings: surroundings, client: client, lastUse: now - .hours(Int64(number % 30)))
        let next = schedule.next(after: now, &random)
        body(surroundings, now, next)
        now = next ?? now + .hours(1)
      }
    }
  }

  @Test func workIsNeverCloserThanFifteenMinutes() {
    var client = Client()
    client.workPeriod = .minutes(1)
    var shortest = Milliseconds.days(1)
    Self.gaps(of: .android, client) { _, now, next in
      if let next { shortest = min(shortest, next - now) }
    }
    #expect(shortest >= .minutes(15))
    #expect(shortest < .minutes(17))
  }

  @Test func workWaitsForWiFi() {
    var (onWiFi, all) = (0, 0)
    Self.gaps(of: .android) { surroundings, _, next in
      guard let next else { return }
      all += 1
      // A run may begin up to ten minutes into the favourable quarter of an hour.
      if [Milliseconds.minutes(0), .minutes(10)].contains(where: { surroundings.network(at: next - $0) == .wifi }) {
        onWiFi += 1
      }
    }
    #expect(all > 1000)
    #expect(onWiFi == all)
  }

  @Test func appRefreshIsHoursApartAndOffForThoseWhoSwitchedItOff() {
    Self.gaps(of: .ios) { surroundings, now, next in
      if surroundings.traits.refreshOff {
        #expect(next == nil)
      } else if let next {
        #expect(next - now >= .hours(4))
      }
    }
  }
}
