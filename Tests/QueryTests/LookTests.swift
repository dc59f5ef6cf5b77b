import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// What is known at each look is what was counted at that instant, and a stop that was reached stays one.
@Suite struct LookTests {
  static let start = Timestamp(rawValue: 1_749_999_720_000)
  static let grid = LookGrid(from: start)

  private struct Device {
    var launch: Timestamp
    var crash: Milliseconds?
  }

  private func devices(_ count: Int, _ random: inout Dice) -> [Device] {
    (0..<count).map { _ in
      let launch = Self.start + Milliseconds(rawValue: Int64.random(in: 0..<172_800_000, using: &random))
      let crashes = Int.random(in: 0..<5, using: &random) == 0
      return Device(
        launch: launch, crash: crashes ? Milliseconds(rawValue: Int64.random(in: 0..<86_400_000, using: &random)) : nil)
    }
  }

  private func looks(_ devices: [Device], until now: Timestamp) -> HarmLooks {
    var looks = HarmLooks()
    for device in devices where device.launch <= now {
      let crash = device.crash.flatMap { device.launch + $0 <= now ? $0 : nil }
      looks.add(Self.grid, from: device.launch, crash.map { .happened($0) })
    }
    return looks
  }

  private func harm(_ devices: [Device], at now: Timestamp) -> (harm: Harm, launched: Int) {
    var (harm, launched) = (Harm(), 0)
    for device in devices where device.launch <= now {
      launched += 1
      harm.add(device.crash.flatMap { device.launch + $0 <= now ? $0 : nil }, watchedFor: now - device.launch)
    }
    return (harm, launched)
  }

  /// From five minutes on the spans begin at looks, so nothing is rounded; those before count at once.
  @Test func everyLookSeesWhatThereWas() throws {
    var random = Dice(state: 3)
    let devices = devices(400, &random)
    let later = Harm.spans.map { (minutes: Int64) -> Double in minutes < 5 ? 0 : 0.001 + Double(minutes) / 10_000 }
    let all = looks(devices, until: Self.start + .days(4))
    for last in [0, 1, 7, 60, 288, 500, 800] {
      let now = Self.grid.instant(of: last)
      let counted = try #require(CountedLooks(Self.grid, until: now))
      var seen = LookTest.Known()
      for known in [all, looks(devices, until: now)] {
        _ = LookTest([.init(looks: known, chances: later)], counted, threshold: .infinity) {
          seen = $0
          return 0
        }
        let (expected, launched) = harm(devices, at: now)
        #expect(seen.events == expected.events && seen.devices == launched)
        #expect(abs(seen.permitted - expected.expected(later)) < 1e-9)
      }
    }
  }

  /// The first look is at the whole five minutes before the publication, 120 s earlier.
  @Test(arguments: [(-500, 0), (-120, 0), (-119, 1), (180, 1), (181, 2), (86_400, 289), (34_560_000, 105_408)])
  func aLookSeesWhatWasBefore(_ seconds: Int, _ look: Int) {
    #expect(Self.grid.instant(of: 0) == Self.start - .seconds(120))
    #expect(Self.grid.look(at: Self.start + .seconds(Int64(seconds))) == look)
  }

  @Test func thereIsNoLookBeforeThePublication() {
    #expect(CountedLooks(Self.grid, until: Self.start - .hours(1)) == nil)
    #expect(Self.grid.last(until: Self.start) == 0)
    #expect(Self.grid.last(until: Self.start + .minutes(3)) == 1)
  }

  /// 6 of the first 20 crash, nobody of the 2,000 after them.
  private static let early: [Device] = (0..<2020).map { (device: Int) -> Device in
    guard device >= 20 else {
      return Device(launch: start + .minutes(Int64(device)), crash: device % 3 == 0 ? Milliseconds.minutes(1) : nil)
    }
    return Device(launch: start + .seconds(7200 + Int64(device)), crash: nil)
  }

  private func test(_ devices: [Device], at now: Timestamp, since: Timestamp? = nil) throws -> HarmTest {
    var (harm, launches) = (Harm(), LaunchCounts(launched: 4000))
    for device in 0..<4000 {
      let age: Milliseconds? = device % 400 == 0 ? .minutes(Int64(device % 90)) : nil
      harm.add(age, watchedFor: .days(2))
    }
    launches.crashes = harm
    let own = self.harm(devices, at: now)
    let counted = try #require(CountedLooks(Self.grid, since: since, until: now))
    return HarmTest(
      own.harm, own.launched, past: [(harm, launches)], limit: 0.05, level: 0.95,
      looks: (looks(devices, until: now), counted))
  }

  @Test func whatWasReachedStays() throws {
    let soon = try test(Self.early, at: Self.start + .minutes(30))
    let reached = try #require(soon.reachedAt)
    #expect(soon.stops && soon.holds && reached < Self.start + .minutes(30))
    for hours in [3, 12, 40] as [Int64] {
      let later = try test(Self.early, at: Self.start + .hours(hours))
      #expect(later.stops && later.reachedAt == reached, "after \(hours) h")
    }
    #expect(try !test(Self.early, at: Self.start + .hours(40)).holds)
  }

  /// Looks before somebody opened the rollout again do not count.
  @Test func openingItAgainTakesItBack() throws {
    let again = try test(Self.early, at: Self.start + .hours(40), since: Self.start + .hours(1))
    #expect(!again.stops && again.reachedAt == nil)
  }

  /// Asked at any second: what says stop once says so at every later one.
  @Test(arguments: 0..<6) func noSecondTakesAStopBack(_ seed: UInt64) throws {
    var random = Dice(state: seed)
    let devices = devices(300, &random)
    var reached: Timestamp?
    for _ in 0..<60 {
      let now = Self.start + Milliseconds(rawValue: Int64.random(in: 0..<200_000_000, using: &random))
      let found = try test(devices, at: now)
      if let first = found.reachedAt {
        #expect(reached == nil || reached == first)
        reached = first
      } else if let reached {
        #expect(now < reached)
      }
    }
  }
}

/// First attempts on two clocks: what is judged is how often they fail for the time that they were watched.
@Suite struct AttemptTestTests {
  private typealias Life = (start: Double, launch: Double?, failure: (hour: Double, isAfterLaunch: Bool)?)

  private static func instant(_ hour: Double) -> Timestamp {
    LookTests.start + Milliseconds(rawValue: Int64(hour * 3_600_000))
  }

  /// Half of the failures are downloads, half rollbacks right at the launch.
  private func lives(_ rate: Double, _ count: Int, launched: Double, _ random: inout Dice) -> [Life] {
    (0..<count).map { _ in
      let start = Double.random(in: 0..<48, using: &random)
      let (fails, breaks) = (
        Double.random(in: 0..<1, using: &random) < rate / 2, Double.random(in: 0..<1, using: &random) < rate / 2
      )
      let launch = start + 1.01 + Double.random(in: 0..<1, using: &random) * launched
      if fails { return (start, nil, (start + Double.random(in: 0..<0.9, using: &random), false)) }
      return (start, launch, breaks ? (launch, true) : nil)
    }
  }

  private func watched(_ lives: [Life], until hour: Double) -> AttemptHarm {
    var harm = AttemptHarm()
    for life in lives where life.start <= hour {
      let failure = life.failure.flatMap { $0.hour <= hour ? $0 : nil }
      harm.watch(
        start: Self.instant(life.start), launch: life.launch.flatMap { $0 <= hour ? Self.instant($0) : nil },
        failure: failure.map { (Self.instant($0.hour), $0.isAfterLaunch, Self.instant($0.hour)) }, Self.instant(hour),
        Failures.Options(), LookTests.grid)
    }
    return harm
  }

  private func found(_ own: AttemptHarm, _ past: AttemptHarm, _ hour: Double, _ limit: Double) throws -> AttemptTest {
    let looks = try #require(CountedLooks(LookTests.grid, until: Self.instant(hour)))
    return AttemptTest(.init(own: own, past: [past], looks: looks), limit: FailureLimit(configured: limit), alpha: 0.05)
  }

  /// Past releases were launched within a day; this one at once, and fails no more often: at the limit of 3 % it is hardly ever
  /// stopped, though its failures come a day sooner.
  @Test func whatIsLaunchedSoonerIsNotWorse() throws {
    var random = Dice(state: 9)
    let past = watched(lives(0.02, 20_000, launched: 24, &random), until: 200)
    let stops = try (0..<60).filter { _ in
      try found(watched(lives(0.03, 1000, launched: 0, &random), until: 100), past, 100, 0.03).stops
    }.count
    #expect(stops <= 6, "\(stops) of 60")
  }

  /// Three times as many failures as usual are found with fewer devices than by their share, which waits for launches.
  @Test func exposureTellsSooner() throws {
    var random = Dice(state: 9)
    let past = watched(lives(0.02, 20_000, launched: 24, &random), until: 200)
    var (by, share): ([Double], [Double]) = ([], [])
    for _ in 0..<20 {
      let own = watched(lives(0.06, 3000, launched: 24, &random), until: 100)
      func hours(_ past: AttemptHarm) throws -> Double {
        let reached = try #require(try found(own, past, 100, 0.034).reachedAt)
        return Double((reached - LookTests.start).rawValue) / 3_600_000
      }
      by.append(try hours(past))
      share.append(try hours(AttemptHarm()))
    }
    #expect(by.sorted()[10] < 0.8 * share.sorted()[10], "\(by.sorted()[10]) \(share.sorted()[10])")
  }

  /// A device that ran the release before it tried to get it may have crashed in it before, too: no look finds more failures than
  /// attempts.
  @Test func aCrashBeforeTheAttemptIsKnownWithIt() throws {
    let fleet = try Fleet()
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: "2.0"), channel: "production",
        publishedAt: try Timestamp(rfc3339: "2024-03-01T00:00:00Z"))
    ])
    try fleet.load(
      """
      {"device":"a","stage":"check","release":"2.0","channel":"production","at":"2024-03-02T00:00:00Z"}
      {"device":"a","stage":"crashed","release":"2.0","channel":"production","at":"2024-03-02T00:10:00Z"}
      {"device":"a","stage":"downloadStarted","release":"2.0","channel":"production","at":"2024-03-02T09:00:00Z"}

      """)
    let chosen = try fleet.chosen("2.0", now: try Timestamp(rfc3339: "2024-03-05T00:00:00Z"))
    let row = try #require(try Failures.answer(try Snapshot(path: fleet.path), chosen).data.first)
    #expect((row.attempts, row.failed) == (1, 1))
  }

  /// Nobody has failed ten times: the share alone decides, and nothing is said of what is permitted.
  @Test func withoutAPastTheShareDecides() throws {
    var random = Dice(state: 9)
    let own = watched(lives(0.3, 400, launched: 1, &random), until: 60)
    let test = try found(own, AttemptHarm(), 60, 0.1)
    #expect(test.stops && test.permitted == nil)
    #expect(try !found(own, AttemptHarm(), 60, 0.5).stops)
  }

  /// A patch that failed counts from the hour on after which nothing makes it good; both clocks take each device once.
  @Test func everyAttemptIsWatchedOnce() {
    let harm = watched(
      [(0, nil, (0.5, false)), (0, 2, (2, true)), (0, 0.2, (0.7, false)), (0, 3, nil), (0, nil, nil)], until: 10)
    #expect(harm.delivery.events == 2 && harm.delivery.devices == 5)
    #expect(harm.activation.events == 1 && harm.activation.devices == 3)
    #expect(harm.looks?.delivery.began.reduce(0, +) == 5 && harm.looks?.activation.began.reduce(0, +) == 3)
  }
}

/// When a rollout went on after somebody had stopped it.
@Suite struct ReopenedTests {
  @Test(
    arguments: [
      ([10, 0, 25], 2), ([10, 0], nil), ([10, 25, 100], nil), ([0, 10], 1), ([10, 0, 5, 0, 50], 4), ([], nil),
    ] as [([Double], Int?)])
  func isWhereItRoseFromNothing(_ percents: [Double], _ step: Int?) {
    let steps = percents.enumerated().map { RolloutStep(at: Timestamp(rawValue: Int64($0 + 1) * 1000), percent: $1) }
    let start = Timeline.Start(publishedAt: Timestamp(rawValue: 0), rollout: steps, mandatory: false, isInferred: false)
    #expect(start.reopenedAt(until: Timestamp(rawValue: 1_000_000)) == step.map { steps[$0].at })
    #expect(start.reopenedAt(until: Timestamp(rawValue: 1)) == nil)
  }
}
