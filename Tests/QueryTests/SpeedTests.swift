import Lifecycle
import Store
import Testing

@testable import Query

/// A verdict calls a release slow beside the one before only where the two can be compared.
@Suite struct SpeedTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    /// At which hour of the day 2.0.0 came; 1.0.0 came at 8.
    var hour: Int64 = 8
    /// Of 120 devices, those that came after 1.0.0.
    var newcomers = 0
    var condition: Verdict.Condition
    var devices: Int?
    var said: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Row(
      name: "alike", condition: .slow, devices: 120,
      said: "slower than before: 10.0% had updated 12h after they could, 90.0% with 1.0.0"),
    Row(
      name: "in the evening", hour: 20, condition: .healthy,
      said: "it cannot be compared with 1.0.0 by less than whole days: published at 20:00 UTC, 1.0.0 at 08:00"),
    Row(
      name: "two hours later", hour: 10, condition: .slow, devices: 120,
      said: "slower than before: 10.0% had updated 12h after they could, 90.0% with 1.0.0"),
    Row(
      name: "all came after the first", newcomers: 120, condition: .healthy,
      said: "whether it is slower than 1.0.0 cannot be told: 0.0% of its devices came after its publication, 100.0% of"
        + " those of 1.0.0, and their clocks start at a contact"),
    Row(
      name: "half came after the first", newcomers: 60, condition: .slow, devices: 120,
      said: "slower than before: 10.0% had updated 12h after they could, 90.0% with 1.0.0"),
  ])
  func saysWhatCanBeCompared(_ row: Row) throws {
    let fleet = try Self.fleet(row.newcomers, Self.second(row.hour))
    let now = Self.second(row.hour) + .hours(13)
    let snapshot = try Snapshot(path: fleet.path)
    let answer = try Verdict.answer(snapshot, try FleetScope(snapshot.vocabulary, app: nil, now: now))
    let verdict = try #require(answer.data.first)
    let speed = try #require(verdict.reasons.first { $0.subject == .speed })
    #expect(verdict.release == "2.0.0" && speed.condition == row.condition && speed.devices == row.devices, "\(speed)")
    #expect(speed.sentence.hasPrefix(row.said), "\(speed.sentence)")
    #expect(speed.sentence.hasSuffix(", of those that were there when it was published") == (row.newcomers == 60))
    try Summary.refresh(path: fleet.path)
    let summarised = try Snapshot(path: fleet.path)
    #expect(
      try bytes(Verdict.answer(summarised, try FleetScope(summarised.vocabulary, app: nil, now: now))) == bytes(answer))
  }

  /// Of an app with many devices a random part is counted twice: with newcomers and without.
  @Test(arguments: [(1000, false), (60, true)]) func newcomersAreCountedOfAPart(_ most: Int, _ isSample: Bool) throws {
    let fleet = try Self.fleet(60, Self.second(8))
    let snapshot = try Snapshot(path: fleet.path)
    let now = Self.second(8) + .hours(13)
    let chosen = try fleet.chosen("2.0.0", now: now)
    let before = try fleet.chosen("1.0.0", now: now).target
    let counting = SettledCounting(snapshot.vocabulary, chosen, [before], pairs: [], most: most)
    let ledger = Ledger()
    try snapshot.count([Counts(counting)], into: ledger)
    let sum = ledger[counting]
    let (all, settled) = (sum.all.tables[0].cell(Group(), by: []), sum.settled.tables[0].cell(Group(), by: []))
    #expect(sum.isSample == isSample && settled.devices < all.devices && settled.devices > 0)
    #expect(isSample ? all.devices < 120 : all.devices == 120 && settled.devices == 60, "\(all.devices)")
  }

  /// What lies between whole days alone is left out.
  @Test func wholeDaysDecide() throws {
    let fleet = try Self.fleet(0, Self.second(20))
    let now = Self.second(20) + .hours(25)
    let snapshot = try Snapshot(path: fleet.path)
    let answer = try Verdict.answer(snapshot, try FleetScope(snapshot.vocabulary, app: nil, now: now))
    let speed = try #require(answer.data.first?.reasons.first { $0.subject == .speed })
    #expect(speed.condition == .slow && speed.sentence.contains("had updated 24h after they could"), "\(speed)")
    let days = "; published on a Friday, 1.0.0 on a Tuesday: part of the difference may be the day"
    #expect(speed.sentence.contains(days), "\(speed)")
    let compared = try Compare.answer(
      snapshot, try fleet.chosen("2.0.0", now: now), with: try fleet.chosen("1.0.0", now: now).target)
    #expect(
      compared.warnings.filter { $0.code == "hours_differ" }.map(\.message) == [
        "2.0.0 was published at 20:00 UTC, 1.0.0 at 08:00: but for ages of whole days part of the difference is the hour"
      ])
  }

  /// Who sets a rollout to 0 % and opens it again makes devices wait, and no release slow.
  /// A moment makes nobody wait; from the first of several steps to 0 % nobody gets it.
  @Test(arguments: [
    ("100%@0h", Verdict.Condition.slow), ("100%@0h,0%@1h,100%@48h", .healthy), ("100%@0h,0%@1h,100%@2h", .slow),
    ("100%@0h,0%@1h,0%@47h,100%@48h", .healthy), ("0%@0h,0%@1h,100%@2h", .slow),
  ])
  func aHaltMakesNoReleaseSlow(_ rollout: String, _ condition: Verdict.Condition) throws {
    let scenario = try Scenario(
      """
      publish 1.0.0 at -10d
      publish 2.0.0 at 0h rollout=\(rollout)
      now 51h
      devices all 100 bucket=5
        -11d            check 0.9.0 foreground
        -239h every 1m  applied 1.0.0 foreground
        -1h             check 1.0.0 foreground
        49h every 1m    applied 2.0.0 foreground
      """, file: "paused")
    let fleet = try scenario.fleet()
    let snapshot = try Snapshot(path: fleet.path)
    let scope = try FleetScope(snapshot.vocabulary, app: nil, now: scenario.epoch + .hours(51))
    let verdict = try #require(try Verdict.answer(snapshot, scope).data.first)
    let speed = try #require(verdict.reasons.first { $0.subject == .speed })
    let said = "whether it is slower than 1.0.0 cannot be told: its rollout stood at 0%"
    #expect(speed.condition == condition && speed.sentence.hasPrefix(said) == (condition == .healthy), "\(speed)")
  }

  /// Half of the devices update before the halt, the others 49 hours after the publication.
  @Test(arguments: [
    ("100%@0h", 100, "missed", nil),
    ("100%@0h,0%@1h,100%@2h", 100, "missed", nil),
    ("100%@0h,0%@1h,100%@48h", 60, "not reached, as one's own halt may explain", "counts as waiting"),
    (
      "100%@0h,0%@1h,100%@48h", 100, "not reached, as one's own halt may explain",
      "with the 47.0h of the halt given back it is 100.0%"
    ),
    ("100%@0h,0%@1h,100%@12h", 100, "missed", "with the 11.0h of the halt given back it is 50.0%"),
  ])
  func aHaltExplainsAnObjectiveThatIsNotReached(
    _ rollout: String, _ hours: Int64, _ word: String, _ said: String?
  ) throws {
    let scenario = try Scenario(
      """
      publish 1.0.0 at -10d
      publish 2.0.0 at 0h rollout=\(rollout)
      now \(hours)h
      devices early 100 bucket=5
        -11d            check 0.9.0 foreground
        -239h every 1m  applied 1.0.0 foreground
        -1h             check 1.0.0 foreground
        10m every 10s   applied 2.0.0 foreground
        40h             check 2.0.0 foreground
        99h             check 2.0.0 foreground
      devices late 100 bucket=5
        -11d            check 0.9.0 foreground
        -239h every 1m  applied 1.0.0 foreground
        -1h             check 1.0.0 foreground
        49h every 1m    applied 2.0.0 foreground
        59h             check 2.0.0 foreground
        99h             check 2.0.0 foreground
      """, file: "missed")
    let fleet = try scenario.fleet()
    let snapshot = try Snapshot(path: fleet.path)
    let scope = try FleetScope(snapshot.vocabulary, app: nil, now: scenario.epoch + .hours(hours))
    var options = Verdict.Options()
    options.objective = Verdict.Objective(share: 0.9, within: .hours(24))
    let verdict = try #require(try Verdict.answer(snapshot, scope, options).data.first)
    let objective = try #require(verdict.reasons.first { $0.subject == .objective })
    #expect(objective.condition == (word == "missed" ? .belowObjective : .healthy))
    #expect(
      objective.sentence.hasPrefix("the objective of 90.0% within 24h is \(word): 50.0%"), "\(objective.sentence)")
    #expect(objective.sentence.contains(said ?? "") && objective.sentence.contains("halt") == (said != nil))
  }

  /// What may be harm comes before what is slow for certain, and says no more than it knows.
  @Test(arguments: [(6, Verdict.Subject.firstAttempts, Verdict.Condition.unsettled), (4, .speed, .slow)])
  func likelyHarmComesBeforeSlowness(
    _ failing: Int, _ subject: Verdict.Subject, _ condition: Verdict.Condition
  ) throws {
    let scenario = try Scenario(
      """
      publish 1.0.0 at -10d
      publish 2.0.0 at 0h
      now 51h
      devices fine \(40 - failing)
        -11d            check 0.9.0 foreground
        -239h every 1m  applied 1.0.0 foreground
        -1h             check 1.0.0 foreground
        2h every 1m     applied 2.0.0 foreground
      devices failing \(failing)
        -11d            check 0.9.0 foreground
        -239h every 1m  applied 1.0.0 foreground
        -1h             check 1.0.0 foreground
        3h every 1m     failed 2.0.0 foreground reason=hash
      devices waiting 60
        -11d            check 0.9.0 foreground
        -239h every 1m  applied 1.0.0 foreground
        50h             check 1.0.0 foreground
      """, file: "likely")
    let fleet = try scenario.fleet()
    let snapshot = try Snapshot(path: fleet.path)
    let scope = try FleetScope(snapshot.vocabulary, app: nil, now: scenario.epoch + .hours(51))
    var options = Verdict.Options()
    options.limit = 0.078
    let verdict = try #require(try Verdict.answer(snapshot, scope, options).data.first)
    #expect(verdict.reasons[0].subject == subject && verdict.condition == condition, "\(verdict.reasons)")
    #expect(verdict.decision == .wait && verdict.reasons.contains { $0.condition == .slow })
    #expect(verdict.isLikelyHarmful == (failing == 6))
    #expect(verdict.title == (failing == 6 ? "Likely failing: wait" : "Wait: slow"))
  }

  /// The first release of an app: nothing says how many first attempts may fail, and ten of sixty do, in one way or the other.
  @Test(arguments: [
    ("crashed", Verdict.Subject.crashes, Verdict.Condition.unsettled), ("failed", .firstAttempts, .noLimit),
  ])
  func likelyHarmComesBeforeAMissingLimit(
    _ stage: String, _ subject: Verdict.Subject, _ condition: Verdict.Condition
  ) throws {
    let scenario = try Scenario(
      """
      publish 1.0.0 at 0h
      now 51h
      devices fine 50
        -1h             check 0.9.0 foreground
        2h every 1m     applied 1.0.0 foreground
        50h             check 1.0.0 foreground
      devices broken 10
        -1h             check 0.9.0 foreground
        3h every 1m     applied 1.0.0 foreground
        200m every 1m   \(stage) 1.0.0 foreground reason=oom
        50h             check 1.0.0 foreground
      """, file: "unlimited")
    let fleet = try scenario.fleet()
    let snapshot = try Snapshot(path: fleet.path)
    let scope = try FleetScope(snapshot.vocabulary, app: nil, now: scenario.epoch + .hours(51))
    let verdict = try #require(try Verdict.answer(snapshot, scope).data.first)
    #expect(verdict.reasons[0].subject == subject && verdict.condition == condition, "\(verdict.reasons)")
    #expect(verdict.wouldChange.hasSuffix("who need not wait for it halts now") == (condition == .unsettled))
    #expect(verdict.reasons.contains { $0.condition == .noLimit })
  }

  @Test(arguments: [(8, 10, false), (8, 11, true), (23, 1, false), (22, 1, true), (8, 32, false), (20, 8, true)])
  func hoursAreThoseOfTheDay(_ own: Int64, _ before: Int64, _ isOther: Bool) {
    #expect((OtherHours(Self.start + .hours(own), Self.start + .hours(before)) != nil) == isOther)
    #expect((OtherHours(Self.start + .hours(before), Self.start + .hours(own)) != nil) == isOther)
  }

  private static let start = instant("2024-03-04T00:00:00Z")
  private static let first = start + .hours(32)
  private static func second(_ hour: Int64) -> Timestamp { start + .days(4) + .hours(hour) }

  /// A check each hour. Nine of ten have 1.0.0 half an hour to eight and a half after it came, newcomers half an hour after they did;
  /// the others 30 hours after. One of ten has 2.0.0 half an hour after it came.
  private static func fleet(_ newcomers: Int, _ second: Timestamp) throws -> Fleet {
    let fleet = try Fleet()
    for (release, at) in [("1.0.0", first), ("2.0.0", second)] {
      try fleet.publish([
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: release), channel: "production", publishedAt: at)
      ])
    }
    var lines: [String] = []
    for device in 0..<120 {
      let isNew = device < newcomers
      let came = isNew ? first + .hours(Int64(device % 24) + 1) : start
      let wait: Milliseconds = isNew ? .minutes(30) : .minutes(Int64(device % 10) * 60 + 30)
      let updated = (isNew ? came : first) + (device % 10 == 9 ? .hours(30) : wait)
      let again: Timestamp? = device % 10 == 0 ? second + .minutes(30) : nil
      func line(_ stage: String, _ release: String, _ at: Timestamp) -> String {
        "{\"device\":\"d\(device)\",\"channel\":\"production\",\"platform\":\"ios\",\"stage\":\"\(stage)\","
          + "\"release\":\"\(release)\",\"trigger\":\"foreground\",\"at\":\"\(at.rfc3339)\",\"received\":\"\(at.rfc3339)\"}"
      }
      lines += [line("applied", "1.0.0", updated)] + (again.map { [line("applied", "2.0.0", $0)] } ?? [])
      var at = came
      while at <= second + .hours(25) {
        lines.append(line("check", again.map { at > $0 } ?? false ? "2.0.0" : at > updated ? "1.0.0" : "0.9.0", at))
        at = at + .hours(1)
      }
    }
    try fleet.load(lines.joined(separator: "\n"))
    return fleet
  }
}
