import Foundation
import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// What is summarised must be what the devices say, to the byte, or not be used.
@Suite struct SummaryTests {
  /// Days after the epoch at which fleets are asked: before the newest contact, right behind it, weeks later.
  static let days: [Int64] = [33, 51, 90]

  @Test(arguments: 0..<3) func saysWhatDevicesSay(_ seed: Int) throws {
    var random = RandomFleet(seed: seed)
    let fleet = try random.stored()
    try Folder(path: fleet.path).foldAll()
    let devices = try Snapshot(path: fleet.path)
    try Summary.refresh(path: fleet.path)
    var used = 0
    for day in Self.days {
      used += try compare(fleet, devices, at: RandomFleet.epoch + .days(day) + Milliseconds(rawValue: 1))
    }
    #expect(used >= RandomFleet.releases)
  }

  /// Pushes mature and refreshes end at one cutoff or another; some pushes are newer than any contact.
  @Test(arguments: 0..<6) func saysItOfMechanisms(_ seed: Int) throws {
    var random = RandomFleet(seed: seed, isDense: seed % 3 == 0, isPushed: true, hasArms: seed % 2 == 0)
    let fleet = try random.stored()
    try Folder(path: fleet.path).foldAll()
    let devices = try Snapshot(path: fleet.path)
    try Summary.refresh(path: fleet.path)
    let summarised = try Snapshot(path: fleet.path)
    let since = try #require(try summarised.summaryState(app: "com.example.demo")).since
    var used = 0
    for (turn, later) in Self.ages.enumerated() {
      used += try compareMechanisms(summarised, devices, at: since + later, turn + seed)
    }
    // What is announced for later ends what the summary of a short history knows.
    #expect(used > 0 || seed % 3 == 0)
  }

  /// Around the ages at which refreshes are over and pushes mature.
  static let ages: [Milliseconds] =
    [0, 59_998, 59_999, 300_000, 86_399_998, 86_399_999, 86_400_000, 172_800_000, 345_600_000, 604_800_000].map(
      Milliseconds.init)

  /// Attempts, launches and entries are a minute, an hour or a day old at one cutoff or another.
  @Test(arguments: 0..<6) func saysItOfFailuresAndStages(_ seed: Int) throws {
    var random = RandomFleet(seed: seed, isDense: seed % 2 == 0, isFailing: true)
    let fleet = try random.stored()
    try Folder(path: fleet.path).foldAll()
    let devices = try Snapshot(path: fleet.path)
    try Summary.refresh(path: fleet.path)
    let summarised = try Snapshot(path: fleet.path)
    try #require(try devices.summaryState(app: "com.example.demo") == nil)
    let since = try #require(try summarised.summaryState(app: "com.example.demo")).since
    var used = 0
    for (turn, later) in Self.later.enumerated() {
      used += try compareAttempts(summarised, devices, at: since + later, turn + seed)
    }
    // What is announced for later ends what the summary of a short history knows.
    #expect(seed % 2 == 0 ? used > 0 : used == Self.later.count * RandomFleet.releases * 2)
  }

  /// At the first cutoff that a summary holds for, and around the ages that attempts and entries are counted at.
  static let later: [Milliseconds] =
    [.minutes(0), .minutes(1), .minutes(59), .hours(1), Milliseconds(rawValue: 3_600_001), .minutes(1439)]
    + [.hours(24), Milliseconds(rawValue: 86_400_001), .days(3)]

  static let splits: [@Sendable (inout Selection) -> Void] = [
    { _ in }, { $0.by = [.channel] }, { $0.by = [.channel, .platform] }, { $0.platforms = ["ios"] },
    { ($0.channels, $0.by, $0.minCell) = (["production"], [.platform], 5) }, { $0.channels = ["beta"] },
  ]

  /// Releases come in steps, some of them not yet to all; some devices are silent for long, others say late what they run.
  @Test(arguments: 0..<8) func saysItOfReach(_ seed: Int) throws {
    var random = RandomFleet(seed: seed, isDense: seed % 2 == 0, isFailing: seed % 4 == 1)
    let fleet = try random.stored()
    try Folder(path: fleet.path).foldAll()
    let devices = try Snapshot(path: fleet.path)
    try Summary.refresh(path: fleet.path)
    let summarised = try Snapshot(path: fleet.path)
    let since = try #require(try summarised.summaryState(app: "com.example.demo")).since
    var used = 0
    for (turn, later) in (Self.later + [.days(1), .days(6), .days(7), .days(27), .days(28), .days(29)]).enumerated() {
      used += try compareReach(summarised, devices, at: since + later, turn + seed)
    }
    #expect(seed % 2 == 0 ? used > 0 : used > 13 * RandomFleet.releases)
  }

  /// - Returns: how often the summary was used.
  private func compareReach(
    _ summarised: borrowing Snapshot, _ devices: borrowing Snapshot, at now: Timestamp, _ turn: Int = 0
  ) throws -> Int {
    var used = 0
    for app in summarised.vocabulary.apps {
      for (place, release) in Timeline(summarised.vocabulary, app: app, until: now).releases.enumerated() {
        var chosen = try ReleaseScope(summarised.vocabulary, app: app, release: release.label, now: now)
        Self.splits[(turn + place) % Self.splits.count](&chosen.selection)
        var options = Reach.Options()
        if (turn + place) % 3 != 0 { options.history = .days(90) }
        chosen.selection.isProvisional = (turn + place) % 5 == 4
        let reach = Reach.Question(summarised.vocabulary, chosen, options)
        if try isStored(reach.counts, summarised) { used += 1 }
        #expect(try bytes(summarised.ask(reach)) == bytes(devices.ask(reach)))
      }
    }
    return used
  }

  /// What is not kept is counted from devices.
  @Test func countsFromDevicesWhatIsNotKept() throws {
    var random = RandomFleet(seed: 1, isFailing: true)
    let fleet = try random.stored()
    try Folder(path: fleet.path).foldAll()
    try Summary.refresh(path: fleet.path)
    let snapshot = try Snapshot(path: fleet.path)
    var chosen = try ReleaseScope(
      snapshot.vocabulary, app: nil, release: ReleaseLabel(rawValue: RandomFleet.label(1)),
      now: RandomFleet.epoch + .days(120))
    var (slow, patient) = (Failures.Options(), Funnel.Options())
    (slow.attemptAge, patient.maturity) = (.hours(2), .hours(2))
    #expect(try isStored(Failures.Question(snapshot.vocabulary, chosen).counts, snapshot))
    #expect(try isStored(Funnel.Question(snapshot.vocabulary, chosen).counts, snapshot))
    #expect(try !isStored(Failures.Question(snapshot.vocabulary, chosen, slow).counts, snapshot))
    #expect(try !isStored(Funnel.Question(snapshot.vocabulary, chosen, patient).counts, snapshot))
    for change in [{ $0.by = [.mechanism] }, { $0.by = [.appVersion] }, { $0.includesEmulators = true }]
      as [(inout Selection) -> Void]
    {
      chosen.selection = Selection(app: chosen.selection.app, release: chosen.target.label, now: chosen.selection.now)
      change(&chosen.selection)
      #expect(try !isStored(Failures.Question(snapshot.vocabulary, chosen).counts, snapshot))
      #expect(try !isStored(Funnel.Question(snapshot.vocabulary, chosen).counts, snapshot))
    }
  }

  /// Columns that are not there do not count as nothing.
  @Test func countsFromDevicesWhatIsMissing() throws {
    var random = RandomFleet(seed: 2, isPushed: true)
    let (fleet, app) = (try random.stored(), "com.example.demo")
    try Folder(path: fleet.path).foldAll()
    let devices = try Snapshot(path: fleet.path)
    try Summary.refresh(path: fleet.path)
    let summarised = try Snapshot(path: fleet.path)
    let state = try #require(try summarised.summaryState(app: app))
    let releases = [0] + Timeline(summarised.vocabulary, app: app).releases.map(\.id)
    let parts = try #require(try summarised.summary(app: app, releases: releases, 0..<SummaryPart.background))
    #expect(try compareMechanisms(summarised, devices, at: state.since + .days(7)) > 0)
    try summarised.keep(state, parts, app: app)
    #expect(try compareMechanisms(Snapshot(path: fleet.path), devices, at: state.since + .days(7)) == 0)
  }

  /// Background work is kept of all channels and platforms together, and in the groups that are asked for by default.
  @Test func countsBackgroundWorkFromDevicesWhereLessIsAsked() throws {
    var random = RandomFleet(seed: 1, isPushed: true)
    let fleet = try random.stored()
    try Folder(path: fleet.path).foldAll()
    try Summary.refresh(path: fleet.path)
    let snapshot = try Snapshot(path: fleet.path)
    let whole = try FleetScope(snapshot.vocabulary, app: nil, now: RandomFleet.epoch + .days(120))
    var (wide, some, recent, ios) = (whole, whole, whole, whole)
    (wide.channels, wide.level, wide.minCell) = (["beta", "production"], 0.8, 7)
    (some.channels, recent.since, ios.platforms) = (["production"], RandomFleet.epoch, ["ios"])
    var (split, late, byTrigger) = (Push.Options(), Push.Options(), WakeUps.Options())
    (split.by, late.horizon, byTrigger.by) = ([.platform], .hours(12), [.trigger])
    func stored(_ extent: FleetScope, _ push: Push.Options = .init(), _ wakeUps: WakeUps.Options = .init()) throws
      -> [Bool]
    {
      [
        try isStored(Push.Question(snapshot.vocabulary, extent, push).counts, snapshot),
        try isStored(WakeUps.Question(snapshot.vocabulary, extent, wakeUps).counts, snapshot),
      ]
    }
    #expect(try stored(whole) == [true, true])
    #expect(try stored(wide) == [true, true])
    for extent in [some, recent, ios] { #expect(try stored(extent) == [false, false]) }
    #expect(try stored(whole, split, byTrigger) == [false, false])
    #expect(try stored(whole, late) == [false, true])
  }

  @Test(arguments: ScenarioTests.files) func saysItOfEveryScenario(_ file: String) throws {
    let folder = try #require(Bundle.module.url(forResource: "Scenarios", withExtension: nil))
    let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    let scenario = try Scenario(text, file: file)
    let fleet = try scenario.fleetTurnedAround()
    try Folder(path: fleet.path).foldAll()
    let devices = try Snapshot(path: fleet.path)
    try Summary.refresh(path: fleet.path)
    let now = scenario.now ?? scenario.epoch + .days(20)
    for instant in [now, now + .days(30)] { _ = try compare(fleet, devices, at: instant) }
  }

  /// A registered publication, an event, a forgotten device: the summary of before is not used.
  @Test func isNotUsedOnceOutdated() throws {
    var random = RandomFleet(seed: 7)
    let fleet = try random.stored()
    try Folder(path: fleet.path).foldAll()
    try Summary.refresh(path: fleet.path)
    let now = RandomFleet.epoch + .days(120)
    #expect(try isUsed(fleet, at: now))
    #expect(try !isUsed(fleet, at: RandomFleet.epoch + .days(20)))
    let label = ReleaseLabel(rawValue: RandomFleet.label(1))
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: label, channel: "production", publishedAt: RandomFleet.epoch + .days(3))
    ])
    #expect(try !isUsed(fleet, at: now))
    try Summary.refresh(path: fleet.path)
    #expect(try isUsed(fleet, at: now))
    try fleet.load(
      #"{"device":"late","stage":"applied","release":"2.1.0","at":"2024-03-20T00:00:00Z"}"# + "\n", fold: false)
    #expect(try !isUsed(fleet, at: now))
    try Folder(path: fleet.path).foldAll()
    #expect(try !isUsed(fleet, at: now))
    try Summary.refresh(path: fleet.path)
    #expect(try isUsed(fleet, at: now))
  }

  /// Each app in a snapshot of its own; only those of which something changed, and at once those that a program before left out.
  @Test func everyAppHasOne() throws {
    let (fleet, apps) = (try Fleet(), ["a.example", "b.example", "c.example"])
    func check(_ release: Int, _ at: Int) -> String {
      #"{"device":"one","stage":"check","release":"\#(release)","at":"2025-01-0\#(at)T00:00:00Z"}"#
    }
    func ends(_ snapshot: borrowing Snapshot) throws -> [Int64?] {
      var ends: [Int64?] = []
      for app in apps { ends.append(try snapshot.earlierSummaryState(app: app)?.folded) }
      return ends
    }
    for app in apps { try fleet.load(check(1, 1), app: app) }
    #expect(try Summary.refresh(path: fleet.path))
    #expect(try ends(Snapshot(path: fleet.path)) == [3, 3, 3])
    try fleet.load(check(1, 2), fold: false, app: apps[1])
    #expect(try !Summary.refresh(path: fleet.path))
    try EventLog(path: fleet.path).sort()
    #expect(try !Summary.refresh(path: fleet.path, whileEventsWait: true))
    #expect(try ends(Snapshot(path: fleet.path)) == [4, 4, 4])
    #expect(try Summary.refresh(path: fleet.path))
  }

  /// Events that came in since change nothing about it, a publication does, and so does an app that has no summary yet.
  @Test func itIsToldWhetherReleasesAreKnown() throws {
    let (fleet, app) = (try Fleet(), "a.example")
    func load(_ day: Int, fold: Bool = true, app: String) throws {
      try fleet.load(
        #"{"device":"one","stage":"check","release":"1","at":"2025-01-0\#(day)T00:00:00Z"}"#, fold: fold, app: app)
    }
    try load(1, app: app)
    #expect(try !Summary.knowsReleases(path: fleet.path))
    try Summary.refresh(path: fleet.path)
    try load(2, fold: false, app: app)
    #expect(try Summary.knowsReleases(path: fleet.path))
    try fleet.publish([
      Publication(
        app: app, release: ReleaseLabel(rawValue: "1"), channel: "production", publishedAt: RandomFleet.epoch,
        rollout: [])
    ])
    #expect(try !Summary.knowsReleases(path: fleet.path))
    try Folder(path: fleet.path).foldAll()
    try Summary.refresh(path: fleet.path)
    #expect(try Summary.knowsReleases(path: fleet.path))
    try load(3, app: "b.example")
    #expect(try !Summary.knowsReleases(path: fleet.path))
  }

  /// What is announced for later ends what a summary knows.
  @Test func holdsUntilSomethingBegins() throws {
    var random = RandomFleet(seed: 3)
    let fleet = try random.stored()
    let at = RandomFleet.epoch + .days(80)
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: RandomFleet.label(3)), channel: "production",
        publishedAt: at, rollout: [RolloutStep(at: at, percent: 10), RolloutStep(at: at + .days(2), percent: 100)])
    ])
    try Folder(path: fleet.path).foldAll()
    let devices = try Snapshot(path: fleet.path)
    try Summary.refresh(path: fleet.path)
    #expect(try isUsed(fleet, at: at))
    #expect(try !isUsed(fleet, at: at + Milliseconds(rawValue: 1)))
    for instant in [at - .days(1), at, at + .days(1), at + .days(3)] { _ = try compare(fleet, devices, at: instant) }
  }

  private func isUsed(_ fleet: Fleet, at now: Timestamp) throws -> Bool {
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try ReleaseScope(
      snapshot.vocabulary, app: "com.example.demo", release: ReleaseLabel(rawValue: RandomFleet.label(1)), now: now)
    return try Summary(snapshot, chosen.selection, chosen.timeline) != nil
  }

  /// - Parameter devices: a reading of before there was a summary.
  /// - Returns: how often the summary was used.
  private func compare(_ fleet: Fleet, _ devices: borrowing Snapshot, at now: Timestamp) throws -> Int {
    let summarised = try Snapshot(path: fleet.path)
    var used = 0
    for app in summarised.vocabulary.apps {
      for release in Timeline(summarised.vocabulary, app: app).releases {
        for change in Self.changes {
          var chosen = try ReleaseScope(summarised.vocabulary, app: app, release: release.label, now: now)
          change(&chosen.selection)
          try #require(try Summary(devices, chosen.selection, chosen.timeline) == nil)
          if try Summary(summarised, chosen.selection, chosen.timeline) != nil { used += 1 }
          #expect(
            try bytes(Adoption.answer(summarised, chosen)) == bytes(Adoption.answer(devices, chosen)))
          #expect(
            try bytes(TimeToUpdate.answer(summarised, chosen)) == bytes(TimeToUpdate.answer(devices, chosen)))
        }
      }
      _ = try compareAttempts(summarised, devices, at: now)
      _ = try compareMechanisms(summarised, devices, at: now)
      _ = try compareReach(summarised, devices, at: now)
      for options in Self.catalogues {
        #expect(
          try bytes(Releases.answer(summarised, app: app, now: now, options))
            == bytes(Releases.answer(devices, app: app, now: now, options)))
      }
    }
    return used
  }

  /// - Parameter turn: which way of asking comes first; each release is asked about another way.
  /// - Returns: how often the summary was used.
  private func compareAttempts(
    _ summarised: borrowing Snapshot, _ devices: borrowing Snapshot, at now: Timestamp, _ turn: Int = 0
  ) throws -> Int {
    var used = 0
    for app in summarised.vocabulary.apps {
      for (place, release) in Timeline(summarised.vocabulary, app: app).releases.enumerated() {
        var chosen = try ReleaseScope(summarised.vocabulary, app: app, release: release.label, now: now)
        Self.splits[(turn + place) % Self.splits.count](&chosen.selection)
        let failures = Failures.Question(summarised.vocabulary, chosen)
        let funnel = Funnel.Question(summarised.vocabulary, chosen)
        used += try [failures.counts, funnel.counts].count { try isStored($0, summarised) }
        #expect(try bytes(summarised.ask(failures)) == bytes(devices.ask(failures)))
        #expect(try bytes(summarised.ask(funnel)) == bytes(devices.ask(funnel)))
      }
    }
    return used
  }

  /// - Returns: how often the summary was used.
  private func compareMechanisms(
    _ summarised: borrowing Snapshot, _ devices: borrowing Snapshot, at now: Timestamp, _ turn: Int = 0
  ) throws -> Int {
    var used = 0
    for app in summarised.vocabulary.apps {
      for (place, release) in Timeline(summarised.vocabulary, app: app).releases.enumerated() {
        var chosen = try ReleaseScope(summarised.vocabulary, app: app, release: release.label, now: now)
        var options = Mechanisms.Options()
        if place % 2 == 0 { (options.ages, options.quantiles) = ([.hours(2), .days(40)], [0.3]) }
        Self.splits[(turn + place) % Self.splits.count](&chosen.selection)
        let known = summarised.vocabulary.channels(of: app)
        chosen.selection.channels.removeAll { !known.contains($0) }
        let question = try Mechanisms.Question(summarised.vocabulary, chosen, options)
        if try isStored(question.counts, summarised) { used += 1 }
        #expect(try bytes(summarised.ask(question)) == bytes(devices.ask(question)))
      }
      used += try compareWakeUps(summarised, devices, app, at: now, turn)
    }
    return used
  }

  private func compareWakeUps(
    _ summarised: borrowing Snapshot, _ devices: borrowing Snapshot, _ app: String, at now: Timestamp, _ turn: Int
  ) throws -> Int {
    var extent = try FleetScope(summarised.vocabulary, app: app, now: now)
    let channels = [[], ["production", "beta"], [], ["production"]][turn % 4]
    extent.channels = channels.filter(summarised.vocabulary.channels(of: app).contains)
    let wakeUps = try WakeUps.Question(summarised.vocabulary, extent)
    let pushes = try Push.Question(summarised.vocabulary, extent)
    #expect(try bytes(summarised.ask(wakeUps)) == bytes(devices.ask(wakeUps)))
    #expect(try bytes(summarised.ask(pushes)) == bytes(devices.ask(pushes)))
    return try [wakeUps.counts, pushes.counts].count { try isStored($0, summarised) }
  }

  /// Whether no device has to be looked at for it.
  private func isStored(_ counts: Counts, _ snapshot: borrowing Snapshot) throws -> Bool {
    let ledger = Ledger()
    try snapshot.count([counts], into: ledger)
    return ledger.scans == 0
  }

  static let changes: [@Sendable (inout Selection) -> Void] = [
    { $0.by = [.channel, .platform] }, { $0.platforms = ["ios"] },
    { ($0.channels, $0.level, $0.minCell) = (["production"], 0.8, 5) },
  ]

  static var catalogues: [Releases.Options] {
    var (quiet, ios, narrow) = (Releases.Options(), Releases.Options(), Releases.Options())
    quiet.channels = ["production"]
    ios.platforms = ["ios"]
    narrow.reachWindow = .days(7)
    return [Releases.Options(), quiet, ios, narrow]
  }
}
