import Lifecycle
import Testing

@testable import Simulate

/// One device at a time, put into a state by hand.
struct DeviceTests {
  private static let scenario = try? Scenario.small("critical-fix-with-push")

  /// The first device of a platform that satisfies a condition, with everything set up around it.
  private func with(
    _ platform: Platform, where fits: (Traits) -> Bool = { _ in true }, _ change: (inout Scenario) -> Void = { _ in },
    _ body: (inout Device, inout Run) -> Void
  ) throws {
    var scenario = try #require(Self.scenario)
    change(&scenario)
    scenario.makePerfect()
    scenario.faults = Faults(network: 0, disk: 0, hash: 0, signature: 0, patch: 0, crash: 0)
    scenario.silentPush.dropped = 0
    scenario.silentPush.holdout = 0
    var run = Run(World(scenario, seed: 2), stampsTransport: false)
    for number in 0..<1000 {
      var device = Device(settled: number, in: run)
      guard device.traits.platform == platform, fits(device.traits), !device.traits.diskFull else { continue }
      device.timers.clear()
      device.isForceQuit = false
      return body(&device, &run)
    }
    Issue.record("no such device")
  }

  /// After the fix was published and its pushes began.
  private func campaignTime(_ run: borrowing Run, _ number: Int) -> Timestamp { run.world.campaigns[number].at }

  private func fates(_ run: borrowing Run, _ campaign: Int, _ platform: Platform) -> [PushFate] {
    let counts = run.ledger.pushes[campaign * 2 + Int(platform.rawValue)].fates
    return PushFate.allCases.flatMap { Array(repeating: $0, count: counts[Int($0.rawValue)]) }
  }

  @Test func aHeldPushIsLostAtForceQuit() throws {
    try with(.ios, where: \.refreshOff) { device, run in
      let now = campaignTime(run, 0)
      device.receiveCampaign(at: now, in: &run)
      #expect(device.inbox.held != nil)
      device.forceQuit(at: now + .minutes(1), in: &run)
      #expect(device.inbox.held == nil)
      #expect(fates(run, 0, .ios) == [.forceQuit])
    }
  }

  @Test func aForceQuitAppGetsNoPush() throws {
    try with(.ios) { device, run in
      device.forceQuit(at: campaignTime(run, 0) - .hours(1), in: &run)
      device.receiveCampaign(at: campaignTime(run, 0), in: &run)
      device.timers[.campaign] = .never
      device.advance(to: campaignTime(run, 0) + .days(1), in: &run)
      #expect(fates(run, 0, .ios) == [.forceQuit])
      #expect(!device.outbox.contains { $0.trigger == .silentPush })
    }
  }

  @Test func aHeldPushIsDeliveredAtLaunch() throws {
    try with(.ios, where: \.refreshOff) { device, run in
      let now = campaignTime(run, 0)
      device.receiveCampaign(at: now, in: &run)
      device.open(at: now + .hours(2), in: &run)
      #expect(fates(run, 0, .ios) == [.atLaunch])
      let received = device.outbox.first { $0.stage == .pushReceived }
      #expect(received?.appState == .inactive)
      #expect(received?.push == .campaign(0))
    }
  }

  @Test func theNewestHeldPushReplacesTheOther() throws {
    try with(.ios, where: \.refreshOff) { device, run in
      device.receiveCampaign(at: campaignTime(run, 0), in: &run)
      device.receiveCampaign(at: campaignTime(run, 1), in: &run)
      #expect(fates(run, 0, .ios) == [.coalesced])
      #expect(device.inbox.held?.campaign == 1)
    }
  }

  @Test func anExpiredPushIsNotDelivered() throws {
    try with(.ios, where: \.refreshOff) { device, run in
      device.receiveCampaign(at: campaignTime(run, 0), in: &run)
      device.open(at: campaignTime(run, 0) + .hours(13), in: &run)
      #expect(fates(run, 0, .ios) == [.expired])
      #expect(!device.outbox.contains { $0.stage == .pushReceived })
    }
  }

  @Test func aHeldPushRidesAlongWithANotice() throws {
    try with(.ios, where: { !$0.refreshOff }) { device, run in
      let now = campaignTime(run, 0)
      device.receiveCampaign(at: now, in: &run)
      device.receiveNotice(at: now + .seconds(1), in: &run)
      #expect(fates(run, 0, .ios) == [.piggyback])
    }
  }

  @Test(arguments: Platform.allCases) func aBackgroundRunEndsAtReady(platform: Platform) throws {
    try with(platform, where: { $0.speed > 0.8 }) { device, run in
      let now = campaignTime(run, 0)
      device.wake(at: now, trigger: .bgRefresh, in: run)
      device.wake(at: now + .hours(1), trigger: .bgRefresh, in: run)
      let frame: Set<Stage> = [.wakeStarted, .check, .wakeFinished]
      let stages = device.outbox.map(\.stage).filter { !frame.contains($0) }
      #expect(stages == [.available, .downloadStarted, .downloadCompleted, .verified, .ready])
      #expect(device.running == 0)
      device.open(at: now + .hours(40), in: &run)
      #expect(device.running == 2)
      let applied = device.outbox.first { $0.stage == .applied }
      #expect(applied?.trigger == .foreground)
    }
  }

  @Test func aMandatoryReleaseIsAppliedInTheSession() throws {
    try with(.ios, where: { $0.speed > 1 }) { device, run in
      var opened = campaignTime(run, 0)
      while device.running != 2 && opened < run.world.until {
        device.open(at: opened, in: &run)
        opened = opened + .hours(1)
      }
      let session = device.outbox.prefix { $0.stage != .applied }
      let last = session.last?.stage
      #expect(last == .ready || last == .confirmed)
    }
  }

  /// The launch applies first; that its user then moves to the beta takes nothing from production.
  @Test func aMoveFollowsTheUpdateOfTheSameLaunch() throws {
    func withEagerTesters(_ scenario: inout Scenario) {
      scenario.channels.append(ChannelShare(name: "beta", share: 0))
      scenario.habits.switches = 1_000_000
    }
    try with(.ios, where: { $0.speed > 0.8 }, withEagerTesters) { device, run in
      let now = run.world.offers[1].publishedAt + .minutes(1)
      device.wake(at: now, trigger: .bgRefresh, in: run)
      #expect(device.staged == 2)
      for millisecond in [0, 300, 700, 999] {
        var device = device
        device.open(at: now + .hours(1) + Milliseconds(rawValue: Int64(millisecond)), in: &run)
        #expect(device.channel == 1)
        let applied = device.history.first { $0.kind == .applied }
        let moved = device.history.first { $0.kind == .switched }
        #expect(applied.map(\.seconds) ?? .max < moved.map(\.seconds) ?? 0)
      }
    }
  }

  @Test func locationReachesAnAppThatWasForceQuit() throws {
    try with(.ios) { device, run in
      device.forceQuit(at: campaignTime(run, 0), in: &run)
      device.locate(at: campaignTime(run, 0) + .hours(1), in: &run)
      #expect(device.outbox.first?.stage == .wakeStarted)
      #expect(device.outbox.first?.trigger == .location)
    }
  }

  @Test func aFullQueueDropsTheOldest() throws {
    try with(.ios) { device, run in
      let limit = run.world.scenario.transport.queue
      for _ in 0...limit { device.emit(Record(at: run.world.start, stage: .check), in: run) }
      #expect(device.outbox.count <= limit)
      #expect(device.outbox.last?.sequence == UInt32(limit))
      #expect(device.outbox.first?.sequence != 0)
    }
  }
}
