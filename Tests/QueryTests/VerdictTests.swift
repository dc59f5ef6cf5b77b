import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// Launches and what became of them, counted one device after another from all that is stored of it.
@Suite struct LaunchTests {
  @Test(arguments: 0..<6) func countsWhatEachDeviceDid(_ seed: Int) throws {
    var random = RandomFleet(seed: seed)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    let timeline = Timeline(snapshot.vocabulary, app: try snapshot.vocabulary.chosenApp(nil))
    var launched = 0
    for day in [3, 6, 33] as [Int64] {
      let scope = try FleetScope(snapshot.vocabulary, app: nil, now: RandomFleet.epoch + .days(day))
      let counting = LaunchCounting(snapshot.vocabulary, scope, timeline, Set(timeline.releases.map(\.id)))
      let found = try snapshot.count(counting.need) { counting.start }
      let expected = try slow(snapshot, scope, timeline)
      #expect(Set(found.counts.keys) == Set(expected.keys))
      for (place, row) in expected {
        let counts = found.counts(place.release, place.channel, platform: place.platform)
        #expect(Row(counts) == row, "\(place)")
        launched += row.launched
      }
    }
    #expect(launched > 0)
  }

  private struct Row: Equatable {
    var (launched, crashed, rolledBack, young) = (0, 0, 0, 0)
    init() {}
    init(_ counts: LaunchCounts) {
      launched = counts.launched
      (crashed, rolledBack, young) = (counts.crashes.events, counts.rollbacks.events, counts.young.reduce(0, +))
    }
  }

  private func slow(
    _ snapshot: borrowing Snapshot, _ scope: FleetScope, _ timeline: Timeline
  ) throws -> [LaunchTally.Place: Row] {
    var rows: [LaunchTally.Place: Row] = [:]
    let (vocabulary, now) = (snapshot.vocabulary, scope.now)
    let day = Milliseconds.days(1)
    try snapshot.walkAttempts(scope, timeline) { release, channel, platform, attempt in
      let launch = attempt.launch.at
      guard attempt.launch.happened, launch <= now else { return }
      let place = LaunchTally.Place(release: release, channel: vocabulary.name(channel), platform: platform)
      func inADay(_ time: FirstTime) -> Bool { time.happened && time.at <= now && time.at - launch < day }
      rows[place, default: Row()].launched += 1
      if now - launch < day { rows[place]?.young += 1 }
      if inADay(attempt.rolledBack) { rows[place]?.rolledBack += 1 }
      let isAfter = inADay(attempt.rolledBack) && attempt.rolledBack.at < attempt.crashed.at
      if inADay(attempt.crashed), !isAfter { rows[place]?.crashed += 1 }
    }
    return rows
  }
}

extension Snapshot {
  /// Every device's attempt at every release, by the rule for one device.
  fileprivate func walkAttempts(
    _ scope: FleetScope, _ timeline: Timeline, _ body: (Int64, Int64, String?, Attempt) throws -> Void
  ) throws {
    try eachDevice(app: scope.app, releases: Set(timeline.releases.map(\.id)), until: scope.now) { view in
      if view.history.isEmulator { return }
      for journey in view.journeys {
        let since = timeline.changesSince(
          journey.release, channel: vocabulary.name(journey.channel), platform: view.history.platform)
        guard let attempt = view.history.attempt(journey, since: since) else { continue }
        try body(journey.release, journey.channel, view.history.platform, attempt)
      }
    }
  }
}

/// Each device is in exactly one place of its spans, and a limit means a share of the day.
@Suite struct HarmTests {
  /// Once enough of them are a day old, none that gets so old makes the answer another one.
  @Test func launchesSettleOnceThereAreEnough() throws {
    var counts = LaunchCounts(launched: 260)
    (counts.young[2], counts.young[Harm.spans.count - 1]) = (50, 30)
    #expect(counts.settling(180) == nil && counts.settling(261) == nil)
    let last = try #require(Harm.spans.last)
    #expect(counts.settling(200) == .minutes(24 * 60 - last))
    #expect(counts.settling(220) == .minutes(24 * 60 - Harm.spans[2]))
  }

  @Test func everyDeviceCountsOnce() {
    var harm = Harm()
    harm.add(.minutes(3), watchedFor: .hours(30))
    harm.add(nil, watchedFor: .hours(30))
    harm.add(nil, watchedFor: .minutes(20))
    #expect(harm.events == 1 && harm.survived == 1 && harm.inside.reduce(0, +) == 1)
    // All three were in the first minute and to the end of it; two after the fifth, one after the half hour.
    #expect(harm.chances[0] == 0 && harm.chances[1] == 1.0 / 3)
    expectNear(harm.expected(harm.chances), 1)
  }

  @Test func spansBeginWhereTheySay() {
    #expect(Harm.span(.seconds(59)) == 0 && Harm.span(.minutes(1)) == 1 && Harm.span(.hours(23)) == 13)
    #expect(Harm.span(.days(2)) == 13)
  }

  /// What was taken in can be taken out again.
  @Test func sumsGoBothWays() {
    var (one, other) = (LaunchCounts(), LaunchCounts())
    one.launched = 3
    one.crashes.add(.minutes(1), watchedFor: .days(2))
    other.add(one)
    other.add(one)
    other.subtract(one)
    #expect(other == one)
  }

  /// A release on which nine in a hundred crash is stopped after some dozens of launches, with or without a past.
  @Test func nineInAHundredAreSeenEarly() {
    func stops(_ launched: Int, past: [(harm: Harm, launches: LaunchCounts)] = []) -> Bool {
      var own = Harm()
      for device in 0..<launched { own.add(device % 11 == 0 ? .minutes(2) : nil, watchedFor: .hours(2)) }
      return HarmTest(own, launched, past: past, limit: 0.05, level: 0.95).stops
    }
    var (harm, launches) = (Harm(), LaunchCounts())
    for device in 0..<4000 { harm.add(device % 400 == 0 ? .minutes(2) : nil, watchedFor: .days(2)) }
    launches.launched = 4000
    #expect(stops(60, past: [(harm, launches)]))
    #expect(!stops(30, past: [(harm, launches)]))
    #expect(stops(700) && !stops(300))
  }

  /// At equal exposure nothing is worse: the same devices as before, watched for two hours only.
  @Test func theSameAsBeforeIsNoReasonToStop() {
    var (harm, own, launches) = (Harm(), Harm(), LaunchCounts())
    for device in 0..<2000 { harm.add(device % 50 == 0 ? .hours(Int64(device % 20)) : nil, watchedFor: .days(2)) }
    launches.launched = 2000
    for device in 0..<2000 {
      let age = Milliseconds.hours(Int64(device % 20))
      own.add(device % 50 == 0 && age < .hours(2) ? age : nil, watchedFor: .hours(2))
    }
    let test = HarmTest(own, 2000, past: [(harm, launches)], limit: 0.05, level: 0.95)
    #expect(!test.stops && test.isFromHistory)
    #expect((test.usual ?? 0) < 0.02)
  }
}

/// Looks every hour at rollouts whose harm is just as frequent as past releases permit, and comes just as late.
@Suite struct HarmStudyTests {
  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }
  }

  /// Minutes from the launch to the harm, most of it early; nil for none.
  private func harm(_ rate: Double, _ dice: inout Dice) -> Double? {
    guard Double.random(in: 0..<1, using: &dice) < rate else { return nil }
    let early = Double.random(in: 0..<1, using: &dice)
    return early * early * 1439
  }

  private func counts(_ devices: [(launch: Double, harm: Double?)], at hour: Double) -> (harm: Harm, launched: Int) {
    var (sum, launched) = (Harm(), 0)
    for device in devices where device.launch <= hour * 60 {
      let age = hour * 60 - device.launch
      launched += 1
      let seen = device.harm.flatMap { $0 <= age ? Milliseconds(rawValue: Int64($0 * 60_000)) : nil }
      sum.add(seen, watchedFor: Milliseconds(rawValue: Int64(age * 60_000)))
    }
    return (sum, launched)
  }

  /// - Returns: the share of rollouts that were stopped, and after how many launches in the middle.
  private func study(_ rate: (_ limit: Double) -> Double, rollouts: Int) -> (stopped: Double, launches: Int) {
    var dice = Dice(state: 7)
    let before = (0..<20_000).map { _ in (launch: 0.0, harm: harm(0.01, &dice)) }
    let past = counts(before, at: 48)
    var launches = LaunchCounts()
    launches.launched = past.launched
    let limit = FailureLimit(past: [Proportion(Int64(past.harm.events), of: 20_000)], level: 0.95).rate
    var exposed: [Int] = []
    for _ in 0..<rollouts {
      let devices = (0..<900).map { _ in
        (launch: Double.random(in: 0..<1440, using: &dice), harm: harm(rate(limit), &dice))
      }
      for hour in stride(from: 1.0, through: 47, by: 2) {
        let own = counts(devices, at: hour)
        let test = HarmTest(own.harm, own.launched, past: [(past.harm, launches)], limit: 0.05, level: 0.95)
        guard test.stops else { continue }
        exposed.append(own.launched)
        break
      }
    }
    return (Double(exposed.count) / Double(rollouts), exposed.sorted().dropFirst(exposed.count / 2).first ?? 0)
  }

  @Test func whoKeepsTheLimitIsHardlyEverStopped() { #expect(study({ $0 }, rollouts: 120).stopped <= 0.025) }

  @Test func nineInAHundredAreStoppedEarly() {
    let (stopped, launches) = study({ _ in 0.09 }, rollouts: 20)
    #expect(stopped == 1 && launches < 450, "\(launches)")
  }
}

private func expectNear(_ found: Double, _ expected: Double) { #expect(abs(found - expected) < 1e-12) }
