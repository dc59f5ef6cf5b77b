import Lifecycle
import Testing

@testable import Simulate

/// What a whole fleet sends follows the rules of the systems.
struct MechanicsTests {
  @Test func workIsFifteenMinutesApart() throws {
    var scenario = try Scenario.small("quiet-week", devices: 100)
    scenario.makePerfect()
    scenario.client.workPeriod = .minutes(15)
    var shortest = Milliseconds.days(1)
    for lines in try Recording(scenario).byDevice.values where lines[0].platform == "android" {
      let runs = lines.filter { $0.stage == "wakeStarted" && $0.trigger == "bgRefresh" }
      for (run, next) in zip(runs, runs.dropFirst()) { shortest = min(shortest, next.at - run.at) }
    }
    #expect(shortest >= .minutes(15))
    #expect(shortest < .minutes(30))
  }

  @Test func iOSDeliversAtMostThreePushesAnHourInTheBackground() throws {
    var scenario = try Scenario.small("push-throttling", devices: 120)
    scenario.makePerfect()
    scenario.silentPush.noticesPerDay = 0
    var most = 0
    for lines in try Recording(scenario).byDevice.values where lines[0].platform == "ios" {
      let runs = lines.filter { $0.stage == "wakeStarted" && $0.trigger == "silentPush" }.map(\.at)
      for run in runs { most = max(most, runs.count { $0 >= run && $0 - run < .hours(1) }) }
    }
    #expect(most == 3)
  }

  @Test func theHoldOutGetsNoPush() throws {
    let lines = try Recording.criticalFix.get().lines
    let heldOut = Set(lines.filter { $0["arm"] == "holdout" }.map(\.device))
    #expect((10...40).contains(heldOut.count))
    #expect(!lines.contains { $0.stage == "pushSent" && heldOut.contains($0.device) })
    #expect(!lines.contains { $0.trigger == "silentPush" && heldOut.contains($0.device) })
  }

  /// Only a launch applies, and a wake-up ends within its half minute or is cut off.
  @Test func backgroundRunsDeliverAndLaunchesApply() throws {
    let lines = try Recording.criticalFix.get().lines
    let applied = lines.filter { ["applied", "confirmed", "crashed"].contains($0.stage) }
    #expect(applied.count > 250)
    #expect(applied.allSatisfy { $0.trigger == "foreground" })
    for line in lines where line.stage == "wakeFinished" {
      let duration = try #require(line.fields["durationMs"] as? Int)
      #expect((duration >= 30_000) == (line["outcome"] == "expired"))
      #expect(duration < 32_000)
    }
  }

  /// A device gets to a stage only by way of those before it.
  @Test func stagesComeInOrder() throws {
    var scenario = try Scenario.small("quiet-week", devices: 120)
    scenario.makePerfect()
    let way = ["available", "downloadStarted", "downloadCompleted", "verified", "ready", "applied", "confirmed"]
    for lines in try Recording(scenario).byDevice.values {
      let firsts = way.map { stage in lines.first { $0.stage == stage && $0.release == "2.1.0" }?.at ?? .never }
      #expect(firsts == firsts.sorted())
    }
  }

  @Test func rolloutReachesBucketsInOrder() throws {
    var scenario = try Scenario.small("bad-release", devices: 200)
    scenario.makePerfect()
    for line in try Recording(scenario).lines
    where line.release == "2.2.0" && line.stage == "available" && line["channel"] == nil {
      #expect((line.fields["bucket"] as? Int ?? 100) < 10)
      #expect(line.at < scenario.start + .days(7) + .hours(22))
    }
  }

  /// Two crashes of the new release, then the one before it again, and this device never takes the bad one again.
  @Test func crashLoopsEndInARollback() throws {
    var scenario = try Scenario.small("bad-release", devices: 200)
    scenario.makePerfect()
    scenario.releases[1].crashes = 0.8
    var loops = 0
    for lines in try Recording(scenario).byDevice.values {
      guard let back = lines.first(where: { $0["reason"] == "CRASH_LOOP" }) else { continue }
      loops += 1
      let crashes = lines.filter { $0.stage == "crashed" && $0.release == back.release && $0.at <= back.at }
      #expect(crashes.count >= 2)
      #expect(!lines.contains { $0.stage == "applied" && $0.release == back.release && $0.at > back.at })
    }
    #expect(loops > 5)
  }

  /// iOS clients leave it to the app's state to tell an arrival from a tap, and both occur.
  @Test func callbacksAreAsAmbiguousAsOniOS() throws {
    let lines = try Recording.criticalFix.get().lines
    let callbacks = lines.filter { $0.stage == "pushReceived" && $0.platform == "ios" }
    #expect(callbacks.allSatisfy { $0.trigger == nil })
    let triggers = callbacks.map {
      PushCallback.trigger(
        appState: $0["appState"].flatMap(AppState.init), isStarting: $0.fields["appIsStarting"] as? Bool)
    }
    #expect(Set(triggers) == [.silentPush, .foreground])
  }
}
