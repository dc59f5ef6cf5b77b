import Lifecycle
import Statistics
import Testing

@testable import Query
@testable import Store

/// Pushes after the cutoff: a gateway's answer does not wait for devices.
@Suite struct LatePushTests {
  private static let cutOff = instant("2024-03-18T08:00:00Z")

  private static func event(
    _ device: UInt64, _ minutes: Int64, push: UInt64, refusal: String?, stage: Stage = .pushSent, release: Int64 = 1
  ) -> RecentEvent {
    RecentEvent(
      device: device, at: cutOff + .minutes(minutes), stage: stage, trigger: .unknown, release: release, push: push,
      bytes: nil, network: nil, platform: "ios", channel: "production", isAsReceived: false, refusal: refusal)
  }

  @Test func onlyThoseAfterTheCutoffCount() {
    let events = [
      Self.event(1, -5, push: 1, refusal: "x"), Self.event(1, 5, push: 2, refusal: "x"),
      Self.event(2, 5, push: 3, refusal: nil), Self.event(2, 6, push: 0, refusal: nil, stage: .check),
      Self.event(3, 5, push: 4, refusal: "", release: 2),
    ]
    let late = LatePushes(events, after: Self.cutOff)
    let all = JudgedShare(late.sums("ios", of: nil), level: 0.95)
    #expect([all.count, all.of, all.devices] == [2, 3, 3])
    let own = JudgedShare(late.sums("ios", of: [2]), level: 0.95)
    #expect([own.count, own.of] == [1, 1])
    #expect(JudgedShare(late.sums("android", of: nil), level: 0.95).of == 0)
  }

  /// The first attempt is refused, the second is not.
  @Test func aPushThatIsSentAnewCountsOnce() {
    let events = [Self.event(1, 5, push: 2, refusal: "x"), Self.event(1, 6, push: 2, refusal: nil)]
    let share = JudgedShare(LatePushes(events, after: Self.cutOff).sums("ios", of: nil), level: 0.95)
    #expect([share.count, share.of] == [0, 1])
  }

  /// Sixty phones, forty of which were sent a push on either side of the cutoff: a hundred pushes to sixty devices.
  @Test func aDeviceCountsOnceOnBothSides() throws {
    let fleet = try Fleet()
    let words = (0..<60).flatMap { device -> [String] in
      let pushes = (device < 40 ? [60.0, 300] : [60]).map { minutes in
        line(
          "d\(device)", "pushSent", at: minutes,
          "\"push\":\"p\(device) \(minutes)\",\"outcome\":\"rejected\",\"reason\":\"x\"", platform: nil)
      }
      return [line("d\(device)", "check", at: 0, "\"release\":\"1.0.0\"")] + pushes
    }
    try fleet.load(words.joined(separator: "\n"))
    let snapshot = try Snapshot(path: fleet.path)
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: instant("2024-03-04T10:00:00Z"))
    let counting = RefusedCounting(
      PushLossCounting(snapshot.vocabulary, extent), now: extent.now + .hours(12))
    let tally = try snapshot.count(counting.need) { counting.start }
    let sums = tally.platforms.values.reduce(into: RefusedPushes()) { $0.add($1) }
    for some in [sums.all, sums.newest[0]] {
      let share = JudgedShare(some, level: 0.95)
      #expect([share.count, share.of, share.devices] == [100, 100, 60])
    }
  }

  @Test func refusalsAreKnownToTheMoment() {
    let events = (0..<60).map { Self.event($0, 5, push: $0 + 1, refusal: "ExpiredProviderToken") }
    let recent = RecentEvents(events, until: Self.cutOff)
    #expect(recent.refusals.values.reduce(0, +) == 60 && recent.repeats.ratio.trials == 0)
    var twice = recent
    twice.add(recent)
    twice.subtract(recent)
    #expect(JudgedShare(twice.late.sums("ios", of: nil), level: 0.95).count == 60)
  }
}
