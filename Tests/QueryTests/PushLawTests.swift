import Foundation
import Ingest
import Lifecycle
import Store
import Testing

@testable import Query
@testable import Store

/// A small generator of numbers that is the same everywhere.
struct Dice: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    let mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    return (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
  }
}

/// Few devices and pushes, so that replacing, resending and mismatching abound; pushes of one instant among them.
///
/// - Parameter stretch: how many times slower all of it happens.
private func story(_ dice: inout Dice, stretch: Double = 1) -> [String] {
  let triggers = ["silentPush", "bgRefresh", "foreground", "location"]
  let stages = [
    "check", "wakeStarted", "wakeFinished", "pushReceived", "ready", "applied", "downloadStarted", "failed",
  ]
  return (0..<600).map { number in
    let device = "d\(Int.random(in: 0..<12, using: &dice))"
    let release = "\"release\":\"\(["2.0.0", "3.0.0"].randomElement(using: &dice) ?? "")\""
    let push = Bool.random(using: &dice) ? ",\"push\":\"p\(Int.random(in: 0..<6, using: &dice))\"" : ""
    if number % 3 == 0 {
      let outcome = number % 15 == 0 ? "rejected" : "accepted"
      let minute = Double(Int.random(in: 0..<60, using: &dice) * 60) * stretch
      return line(device, "pushSent", at: minute, release + ",\"outcome\":\"\(outcome)\"" + push)
    }
    let stage = stages.randomElement(using: &dice) ?? "check"
    let ending = stage == "wakeFinished" ? ",\"outcome\":\"noData\",\"durationMs\":\(number * 60)" : ""
    return line(
      device, stage, at: Double.random(in: 0..<4000, using: &dice) * stretch,
      release + ",\"trigger\":\"\(triggers.randomElement(using: &dice) ?? "")\"" + push + ending)
  }
}

/// Two releases on two channels, pushed, mostly downloaded by a push's wake-up, and applied.
private func deliveries(_ dice: inout Dice) -> [String] {
  let steps: [(stage: String, minutes: Range<Double>)] = [
    ("pushSent", 0..<3000), ("pushSent", 0..<3000), ("wakeStarted", 0..<3500), ("downloadStarted", 1500..<4000),
    ("ready", 2000..<4000), ("applied", 2500..<5000),
  ]
  return (0..<600).map { number in
    let (step, push) = (steps[number % steps.count], "p\(Int.random(in: 0..<8, using: &dice))")
    let trigger = Int.random(in: 0..<12, using: &dice) > 0 ? "silentPush" : "bgRefresh"
    let release = ["2.0.0", "3.0.0"].randomElement(using: &dice) ?? ""
    let channel = ["production", "beta"].randomElement(using: &dice) ?? ""
    let sent = number % 18 == 0 ? "rejected" : "accepted"
    let rest = step.stage == "pushSent" ? "\"outcome\":\"\(sent)\"" : "\"trigger\":\"\(trigger)\""
    return line(
      "d\(Int.random(in: 0..<16, using: &dice))", step.stage, at: Double.random(in: step.minutes, using: &dice),
      "\"release\":\"\(release)\",\"channel\":\"\(channel)\",\"push\":\"\(push)\",\(rest)")
  }
}

@Suite struct PushLawTests {
  let now = instant("2024-03-07T08:00:00Z")

  private func told(_ fleet: Fleet) throws -> [String] {
    var byEverything = Push.Options()
    byEverything.by = Push.Grouping.allCases
    return [
      try printed(try fleet.pushes(now)), try printed(try fleet.pushes(now, { _ in }, byEverything)),
      try printed(try fleet.wakeUps(now, by: WakeUps.Grouping.allCases)), try printed(try fleet.funnel("2.0.0", now)),
    ]
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>) func anyOrderAnyGroupingAnyRepetitionTellTheSame(_ seed: UInt64) throws
  {
    var dice = Dice(state: seed)
    let lines = story(&dice)
    let plain = try Fleet()
    try plain.load(lines.joined(separator: "\n"), fold: false)
    let expected = try told(plain)
    #expect(expected[0].count > 1000)

    let pieces = try Fleet()
    let shuffled = lines.shuffled(using: &dice)
    for start in stride(from: 0, to: 600, by: 100) {
      let piece = shuffled[start..<start + 100].joined(separator: "\n")
      try pieces.load(piece, fold: start % 200 == 0)
      try pieces.load(piece, fold: false)
    }
    #expect(try told(pieces) == expected)
    try removeEvents(pieces)
    #expect(try told(pieces) == expected)
    // Nobody remembers these any more, so they are stored anew.
    try pieces.load(shuffled[..<200].joined(separator: "\n"), fold: seed % 2 == 0)
    #expect(try told(pieces) == expected)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>) func statesAndOutcomesArePartitions(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let fleet = try Fleet()
    try fleet.load(story(&dice).joined(separator: "\n"))
    var options = Push.Options()
    for by in [[], [Push.Grouping.release], [.release, .platform, .channel, .slice(.appVersion)]] {
      options.by = by
      let rows = try fleet.pushes(now, { _ in }, options).data
      for row in rows {
        #expect(row.states.values.reduce(0, +) == row.accepted)
        #expect(row.matureStates.values.reduce(0, +) == row.mature)
        #expect(row.latency.events == row.arrivals.values.reduce(0, +))
        #expect(row.delivered.of == row.mature)
        #expect(row.hourOfWeek.mature.reduce(0, +) == row.mature)
        #expect(row.hourOfWeek.delivered.reduce(0, +) == row.delivered.count)
        #expect(row.throttling.map(\.delivered.of).reduce(0, +) == row.mature)
      }
      let whole = try #require(try fleet.pushes(now).data.first)
      #expect(rows.map(\.accepted).reduce(0, +) == whole.accepted)
      #expect(rows.map(\.delivered.count).reduce(0, +) == whole.delivered.count)
    }
    for row in try fleet.wakeUps(now, by: [.trigger]).data {
      #expect(row.outcomes.values.reduce(0, +) == row.wakeUps)
      #expect(row.hourOfDay.started.reduce(0, +) == row.wakeUps)
    }
  }

  /// Receipts without ids against the obvious slow way: the newest push before each that has none yet.
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func matchesLikeTheSlowWay(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    func minutes(_ count: Int) -> [Int64] { (0..<count).map { _ in Int64.random(in: 0..<3000, using: &dice) }.sorted() }
    let (sent, received) = (Array(Set(minutes(60))).sorted(), Array(Set(minutes(50))).sorted())
    let fleet = try Fleet()
    try fleet.load(
      (sent.map { line("a", "pushSent", at: Double($0), "\"push\":\"\($0)\"") }
        + received.map { line("a", "wakeStarted", at: Double($0), "\"trigger\":\"silentPush\"") }).joined(
          separator: "\n"))
    var taken: [Int64: Int64] = [:]
    for minute in received {
      if let push = sent.last(where: { taken[$0] == nil && $0 <= minute + 5 }) { taken[push] = max(minute, push) }
    }
    var found: [Int64: Int64] = [:]
    let start = instant("2024-03-04T08:00:00Z")
    for (push, _) in try fleet.judgedPushes(until: now) {
      if let receipt = push.receipt {
        found[(push.sent - start).rawValue / 60_000] = (receipt - start).rawValue / 60_000
      }
    }
    #expect(found == taken)
  }

  /// Pushes about one release alone are read from the devices that were sent any, and from nothing else: all of them
  /// together, split by release, must say the same. Six weeks, partly folded, at instants within them.
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func oneReleaseAloneSaysWhatItSaysAmongAll(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let fleet = try Fleet()
    let lines = story(&dice, stretch: 15)
    try fleet.load(lines[..<400].joined(separator: "\n"))
    try fleet.load(lines[400...].joined(separator: "\n"), fold: false)
    var options = Push.Options()
    options.by = [.release]
    var compared = 0
    for day in [5, 12, 20, 41, 90] as [Int64] {
      let at = instant("2024-03-04T08:00:00Z") + .days(day)
      for var row in try fleet.pushes(at, { _ in }, options).data {
        let label = try #require(row.group.parts["release"])
        guard label != "unknown" else { continue }
        (row.group, row.orphans) = (Labels(), nil)
        let alone = try fleet.pushes(at) { $0.release = ReleaseLabel(rawValue: label) }.data
        #expect(try printed(alone) == printed([row]))
        compared += row.mature > 0 ? 1 : 0
      }
    }
    #expect(compared >= 8)
  }

  /// What answers about a release say of the fleet's background work is what answers about that work say.
  @Test(arguments: 1...6 as ClosedRange<UInt64>) func mechanismsSayTheSame(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let fleet = try Fleet()
    let lines = story(&dice, stretch: 15)
    try fleet.load(lines[..<400].joined(separator: "\n"))
    try fleet.load(lines[400...].joined(separator: "\n"), fold: false)
    for (day, platforms) in [(5, []), (30, ["ios"]), (60, [])] as [(Int64, [String])] {
      let at = instant("2024-03-04T08:00:00Z") + .days(day)
      let pushes = try #require(try fleet.pushes(at) { $0.platforms = platforms }.data.first)
      let lost = pushes.lost
      let refreshes = try #require(
        try fleet.wakeUps(at, by: [.trigger]) { $0.platforms = platforms }.data
          .first { $0.group.parts == ["trigger": "bgRefresh"] })
      let chosen = try fleet.chosen("2.0.0", now: at) { $0.platforms = platforms }
      let ways = try #require(try Mechanisms.answer(try Snapshot(path: fleet.path), chosen).data.first).figures.ways
      #expect(lost.of > 0 && refreshes.overrun.atMost.of > 0)
      #expect(ways.map(\.interference.share) == [refreshes.overrun.atMost.share, lost.share])
      #expect(ways.map(\.interference.sent) == [nil, pushes.sent])
      #expect(ways.map(\.interference.rejected) == [nil, pushes.rejected] && pushes.rejected > 0)
      let median = refreshes.refreshIntervals.quantiles.first { $0.p == 0.5 }?.seconds
      #expect(ways[0].interference.medianIntervalSeconds == median)
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>) func creditsLikeTheSlowWay(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let fleet = try Fleet()
    try fleet.load(deliveries(&dice).joined(separator: "\n"))
    let snapshot = try Snapshot(path: fleet.path)
    let columns = JourneyColumns(PushedJourneys.milestones)
    let releases = snapshot.vocabulary.releases.map { ($0.id, columns) }
    let need = Need(
      app: "com.example.demo", .everybody, journeys: Dictionary(uniqueKeysWithValues: releases),
      wakes: .init(from: Timestamp(rawValue: 0), until: now))
    let found = try snapshot.scan(need, start: { [Bool]() }) { found, page in
      var (match, wakeUps, releases) = (PushMatch(), [WakeUp](), PushedReleases(page))
      try page.eachInBackground(includesEmulators: true) { device, _, facts in
        WakeUp.collect(facts, into: &wakeUps)
        match.match(facts, wakeUps)
        match.credit(&releases, device, until: now)
        let plain = PlainCredit(journeys: page.journeys, device: device, cutOff: now)
        let outcomes = match.pushes.indices.map { plain.outcome(of: $0, among: match.pushes) }
        #expect(match.outcomes == outcomes)
        for outcome in outcomes where outcome != .notApplied {
          if case .credited = outcome { found.append(true) } else { found.append(false) }
        }
      }
    }.joined()
    #expect(found.contains(true) && found.contains(false))
  }

  /// Two windows beside each other hold what one holds that spans both.
  @Test func windowsAddUp() throws {
    var dice = Dice(state: 9)
    let fleet = try Fleet()
    try fleet.load(story(&dice).joined(separator: "\n"))
    let middle = instant("2024-03-05T12:00:00Z")
    let early = try #require(try fleet.pushes(now, { $0.until = middle }).data.first)
    let late = try #require(try fleet.pushes(now, { $0.since = middle }).data.first)
    let whole = try #require(try fleet.pushes(now).data.first)
    #expect(early.sent + late.sent == whole.sent)
    for state in PushState.allCases {
      let name: String = state.rawValue
      #expect((early.states[name] ?? 0) + (late.states[name] ?? 0) == whole.states[name])
    }
  }
}
