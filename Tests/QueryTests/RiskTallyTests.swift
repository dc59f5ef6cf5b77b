import Foundation
import Lifecycle
import Store
import Testing

@testable import Query

/// Questions judge devices by columns of numbers, most of them by the spans of their contacts alone. They must say exactly
/// what the objects of `Oracle` say of every contact run.
@Suite struct RiskTallyTests {
  @Test(arguments: 0..<6) func saysWhatObjectsSay(_ seed: Int) throws {
    var random = RandomFleet(seed: seed)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    var compared = 0
    for release in 0..<RandomFleet.releases {
      let label = ReleaseLabel(rawValue: RandomFleet.label(release))
      for day in [6, 19, 33, 90] {
        guard
          let chosen = try? ReleaseScope(
            snapshot.vocabulary, app: nil, release: label, now: RandomFleet.epoch + .days(Int64(day)))
        else { continue }
        for change in Self.changes {
          var changed = chosen
          change(&changed.selection)
          try compare(snapshot, changed, Splits(changed.selection).union(compared % 3 == 0 ? .arm : []))
          compared += 1
        }
        try compareLegs(snapshot, chosen)
        if release == 0 { try compareCounts(snapshot, chosen) }
      }
    }
    #expect(compared > 100)
  }

  static let changes: [@Sendable (inout Selection) -> Void] = [
    { _ in }, { $0.by = [.appVersion] }, { $0.reachWindow = .days(7) }, { $0.clock = .releaseAge },
    { $0.attribution = .applied }, { $0.platforms = ["ios"] }, { $0.includesEmulators = true },
    { $0.reachWindow = .days(2) }, { $0.censor = .lastSeen }, { $0.censor = .cutOff }, { $0.estimand = .patched },
    { $0.estimand = .asHappened },
    { ($0.estimand, $0.censor, $0.clock) = (.patched, .lastSeen, .releaseAge) },
    { ($0.estimand, $0.attribution, $0.reachWindow) = (.asHappened, .applied, .hours(30)) },
  ]

  /// Legs of devices that got the release before the rollout let them have it are rare: more fleets.
  @Test(arguments: 6..<46) func saysItOfLegs(_ seed: Int) throws {
    var random = RandomFleet(seed: seed, isDense: seed % 2 == 0)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    for record in Timeline(snapshot.vocabulary, app: "com.example.demo").releases {
      for day in [9, 33, 90] as [Int64] {
        let chosen = try ReleaseScope(
          snapshot.vocabulary, app: nil, release: record.label, now: RandomFleet.epoch + .days(day))
        try compareLegs(snapshot, chosen)
        try compare(snapshot, chosen, .arm)
      }
    }
  }

  @Test(arguments: ScenarioTests.files) func saysItOfEveryScenario(_ file: String) throws {
    let folder = try #require(Bundle.module.url(forResource: "Scenarios", withExtension: nil))
    let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    let scenario = try Scenario(text, file: file)
    let fleet = try scenario.fleetTurnedAround()
    let snapshot = try Snapshot(path: fleet.path)
    for app in snapshot.vocabulary.apps {
      for release in Timeline(snapshot.vocabulary, app: app).releases {
        let chosen = try ReleaseScope(
          snapshot.vocabulary, app: app, release: release.label, now: scenario.now ?? scenario.epoch + .days(20))
        try compare(snapshot, chosen, [])
        try compareLegs(snapshot, chosen)
        try compareCounts(snapshot, chosen)
      }
    }
  }

  private func compare(_ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ splits: Splits) throws {
    let (selection, timeline) = (chosen.selection, chosen.timeline)
    let counted = try RiskCounting(snapshot.vocabulary, chosen, [chosen.target], splits).tables(snapshot)[0]
    let walked = try SpelledRisk.walked(snapshot, selection, timeline, chosen.target, splits)
    #expect(SpelledRisk.counted(counted) == walked, "\(selection)")
  }

  private func compareLegs(_ snapshot: borrowing Snapshot, _ chosen: ReleaseScope) throws {
    var (walk, walked) = (
      RiskWalk(snapshot.vocabulary, chosen.selection, chosen.timeline, [chosen.target]), WalkedLegs()
    )
    try walk.run(snapshot) { walked.add($0) }
    let question = RiskCounting(
      snapshot.vocabulary, chosen.selection, chosen.timeline, [chosen.target], [], countsLegs: true)
    var legs = Legs()
    for (_, counter) in try snapshot.count(question.need, start: { RiskTally(question) }).counters {
      legs.add(counter.legs ?? Legs())
    }
    #expect(WalkedLegs.words(legs) == walked.words)
  }

  private func compareCounts(_ snapshot: borrowing Snapshot, _ chosen: ReleaseScope) throws {
    let (selection, timeline) = (chosen.selection, chosen.timeline)
    let question = RiskCounting(snapshot.vocabulary, selection, timeline, timeline.releases, [])
    let catalogue = CatalogueCounting(question, of: timeline.releases)
    let tally = try snapshot.count(catalogue.need) { catalogue.start }
    let walked = try WalkedReleases(snapshot, selection, timeline)
    func named<Value>(_ counts: [ReleaseCounts.Place: Value]) -> [String: Value] {
      Dictionary(uniqueKeysWithValues: counts.map { ("\($0.key.release) \($0.key.channel)", $0.value) })
    }
    #expect(named(tally.counts.offered) == walked.offered)
    #expect(named(tally.counts.attempts).filter { $0.value != AttemptCounts() } == walked.attempts)
    #expect(named(tally.counts.running) == walked.running)
    for (target, tables) in zip(timeline.releases, question.sum(tally.risk).tables) {
      #expect(
        try SpelledRisk.counted(tables) == SpelledRisk.walked(snapshot, selection, timeline, target, []))
    }
  }
}

/// Few devices, releases, channels and instants, so that everything that can coincide does.
struct RandomFleet {
  static let epoch = Timestamp(seconds: 1_709_539_200)
  static let releases = 4
  static func label(_ release: Int) -> String { "2.\(release).0" }
  private var dice: Dice
  /// Few devices that are seen many times a day: what they say overlaps.
  private let isDense: Bool
  /// What devices say of themselves they say with every event.
  private let isSteady: Bool
  /// Attempts fail for different reasons, soon after they began or at the launch.
  private let isFailing: Bool
  /// Pushes are sent, and wake-ups end.
  private let isPushed: Bool
  /// Contexts name arms.
  private let hasArms: Bool
  private static let reasons = [Event.patchFailure, "no_space"]

  init(
    seed: Int, isDense: Bool = false, isSteady: Bool = false, isFailing: Bool = false, isPushed: Bool = false,
    hasArms: Bool = true
  ) {
    dice = Dice(state: UInt64(seed) &* 0x1234_5678_9abc_def1)
    (self.isDense, self.isSteady, self.isFailing) = (isDense, isSteady, isFailing)
    (self.isPushed, self.hasArms) = (isPushed, hasArms)
  }

  private mutating func one<T>(of list: [T]) -> T { list[Int.random(in: 0..<list.count, using: &dice)] }
  private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &dice) < share }

  /// Two thirds of the events are folded; publications come last.
  ///
  /// - Parameter isKept: what happened at other times is left out.
  mutating func stored(_ isKept: (Timestamp) -> Bool = { _ in true }) throws -> Fleet {
    let fleet = try Fleet()
    let log = try EventLog(path: fleet.path)
    for part in 0..<3 {
      var batch = batch(part)
      batch.events.removeAll { !isKept($0.at) }
      if isSteady, part == 0 { batch.events.insert(contentsOf: (1...Self.releases).map(naming), at: 0) }
      _ = try log.append([batch])
      if part < 2 { try Folder(path: fleet.path).foldAll() }
    }
    try fleet.publish((0..<Self.releases).compactMap { publication($0) })
    return fleet
  }

  private mutating func publication(_ release: Int) -> Publication? {
    guard chance(0.75) else { return nil }
    let at = Self.epoch + .days(Int64(release * 7)) + .hours(Int64.random(in: 0..<48, using: &dice))
    var steps = [RolloutStep(at: at, percent: 30), RolloutStep(at: at + .hours(36), percent: one(of: [70, 100]))]
    if release % 2 == 1 { steps.append(RolloutStep(at: at + .days(3), percent: 0)) }
    return Publication(
      app: "com.example.demo", release: ReleaseLabel(rawValue: Self.label(release)), channel: "production",
      platform: chance(0.2) ? "ios" : nil, publishedAt: at, rollout: chance(0.4) ? steps : [])
  }

  /// - Parameter part: of 0 to 2.
  mutating func batch(_ part: Int, of count: Int = 150) -> EventBatch {
    var batch = EventBatch()
    let (platforms, versions): ([String?], [String?]) = (["ios", "android", nil], ["1.0", "1.1", nil])
    for platform in platforms {
      for version in versions {
        for channel in ["production", "beta"] {
          batch.contexts.append(
            Context(
              app: "com.example.demo", channel: channel, platform: platform, appVersion: version,
              arm: !hasArms ? nil : version.map { $0 == "1.0" ? "push" : "control" },
              emulator: version == "1.1" && platform == "android" ? true : nil))
        }
      }
    }
    batch.names += (0..<Self.releases).map(Self.label) + (isFailing ? Self.reasons : [])
    for _ in 0..<count {
      let event = event()
      batch.events.append(isFailing ? failing(event) : isPushed ? pushed(event) : event)
    }
    return batch
  }

  /// So that releases have the same numbers whatever is left out: of claims at one instant the greater number counts.
  private func naming(_ release: Int) -> Event {
    Event(
      at: Self.epoch - .days(90), device: DeviceHash(rawValue: 7), identity: UInt64(release), context: 0, stage: .check,
      trigger: .unknown,
      release: NameIndex(rawValue: UInt32(release)))
  }

  /// What happens within minutes of something else, and what it was that failed.
  private mutating func failing(_ event: Event) -> Event {
    var event = event
    event.at = event.at + .minutes(one(of: [0, 1, 20, 59, 60, 61]))
    if chance(0.3) { event.stage = one(of: [.failed, .failed, .crashed, .rolledBack]) }
    if event.stage == .failed, chance(0.8) {
      event.reason = NameIndex(rawValue: UInt32(Self.releases + Int.random(in: 1...Self.reasons.count, using: &dice)))
    }
    return event
  }

  /// What is said of pushes and of work in the background.
  private mutating func pushed(_ event: Event) -> Event {
    var event = event
    event.at = event.at + .seconds(one(of: [0, 0, 20, 60, 61, 300]))
    if chance(0.7) { event.stage = one(of: [.pushSent, .pushSent, .wakeStarted, .wakeFinished, .pushReceived]) }
    if chance(0.5), event.stage != .pushSent { event.trigger = .bgRefresh }
    switch event.stage {
    case .pushSent:
      event.outcome = one(of: [.accepted, .accepted, nil, .rejected])
      if chance(0.1) { event.at = event.at + .days(Int64.random(in: 0..<3, using: &dice)) }
    case .wakeFinished:
      (event.outcome, event.duration) = (
        one(of: [.newData, .noData, .expired, nil]), one(of: [.seconds(31), .seconds(9)])
      )
    default: break
    }
    if chance(0.4) { event.push = UInt64.random(in: 1..<9, using: &dice) }
    return event
  }

  private mutating func event() -> Event {
    let device = Int.random(in: 0..<(isDense ? 10 : 40), using: &dice)
    // Mostly a device stays what it is; now and then it does not.
    let platform = chance(0.04) && !isSteady ? Int.random(in: 0..<3, using: &dice) : device % 3
    let version = chance(0.2) && !isSteady ? Int.random(in: 0..<2, using: &dice) : device % 4 == 0 ? 1 : 0
    let channel = chance(0.06) ? 1 : 0
    let stage: Stage = one(of: [
      .check, .check, .applied, .applied, .ready, .downloadCompleted, .downloadStarted, .available, .confirmed,
      .rolledBack, .failed, .verified, .wakeStarted,
    ])
    let step = Int64.random(in: -8..<(isDense ? 90 : 200), using: &dice)
    let at = Self.epoch + .hours((isDense ? 4 : 6) * step) + .minutes(one(of: [0, 0, 0, 1, 4]))
    return Event(
      at: at, device: DeviceHash(rawValue: UInt64(device + 1) &* 0x9e37_79b9_7f4a_7c15), identity: dice.next(),
      context: UInt32(platform * 6 + version * 2 + channel), stage: stage,
      trigger: one(of: [.silentPush, .bgRefresh, .foreground, .unknown]),
      release: NameIndex(rawValue: UInt32(Int.random(in: chance(0.9) ? 1...Self.releases : 0...0, using: &dice))),
      bucket: isSteady ? (device % 2 == 0 ? UInt8(device * 7 % 100) : nil) : chance(0.3) ? UInt8(device % 100) : nil)
  }
}
