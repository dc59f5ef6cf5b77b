import Foundation
import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// Devices that only check: between which two contacts each updated, and what answers make of that.
@Suite struct PolledTests {
  /// A device a case; hours of its checks and what it says it runs. The publication is at 0 h, the next release at 100 h.
  static let cases: [(name: String, says: [(Double, String)], known: String)] = [
    ("between two checks", [(-9, "1.0"), (1, "1.0"), (9, "2.0"), (17, "2.0")], "(1h, 9h]"),
    ("its first word since is that it has it", [(-30, "1.0"), (20, "2.0")], "(0h, 20h]"),
    ("never seen before", [(20, "2.0")], ""),
    ("had it before", [(-30, "2.0"), (20, "2.0")], ""),
    ("not yet", [(-9, "1.0"), (1, "1.0"), (90, "1.0")], "without to 90h"),
    ("not yet, and only heard of before", [(-9, "1.0")], ""),
    ("silent for longer than the reach window", [(-9, "1.0"), (1, "1.0"), (800, "2.0")], "without to 1h"),
    ("after the next release came", [(-9, "1.0"), (90, "1.0"), (110, "2.0")], "without to 90h"),
    ("joined later", [(10, "1.0"), (20, "1.0"), (30, "2.0")], "(10h, 20h] of its own clock, from 10h"),
  ]

  @Test(arguments: cases.indices) func boundsOfOne(_ index: Int) throws {
    let (name, says, known) = Self.cases[index]
    let fleet = try Self.fleet(says.map { Self.word("d", "check", at: $0.0, $0.1) })
    var expected = PolledTimes()
    switch known {
    case "": break
    case "(1h, 9h]": expected.add(entry: 0, after: 3600, upTo: 9 * 3600, cause: .unknown)
    case "(0h, 20h]": expected.add(entry: 0, after: 0, upTo: 20 * 3600, cause: .unknown)
    case "without to 90h": expected.add(entry: 0, after: 90 * 3600, upTo: nil)
    case "without to 1h": expected.add(entry: 0, after: 3600, upTo: nil)
    default: expected.add(entry: 0, after: 10 * 3600, upTo: 20 * 3600, cause: .unknown)
    }
    let found = try Self.bounds(fleet) { if name.hasPrefix("silent") { $0.estimand = .asHappened } }
    #expect(found.times == expected, "\(name)")
  }

  /// What it was ready to run it did not run yet; `applied` and `confirmed` are times of their own.
  @Test func wordsOfALaunchAreTimes() throws {
    let before = Self.word("d", "check", at: -1, "1.0")
    let ready = try Self.bounds(
      Self.fleet([
        before, Self.word("d", "check", at: 1, "1.0"), Self.word("d", "ready", at: 6, "2.0"),
        Self.word("d", "check", at: 9, "2.0"),
      ]))
    var expected = PolledTimes()
    expected.add(entry: 0, after: 6 * 3600, upTo: 9 * 3600, cause: .unknown)
    #expect(ready.times == expected && ready.open == 1)
    for stage in ["applied", "confirmed"] {
      let seen = try Self.bounds(Self.fleet([before, Self.word("d", stage, at: 9, "2.0")]))
      var exact = PolledTimes()
      exact.add(entry: 0, after: 9 * 3600 - 1, upTo: 9 * 3600, cause: .unknown)
      #expect(seen.times == exact && seen.open == 0 && seen.updates == 1, "\(stage)")
    }
    // Who says its launches would have said this one: it is watched as long as elsewhere, to the next release.
    let silent = try Self.bounds(Self.fleet([before, Self.word("d", "confirmed", at: -0.5, "1.0")]))
    var watched = PolledTimes()
    watched.add(entry: 0, after: 100 * 3600, upTo: nil)
    #expect(silent.times == watched)
  }

  /// With `patched` a newer release counts, too.
  @Test func patchedByANewerRelease() throws {
    let fleet = try Self.fleet(
      [(-9.0, "1.0"), (1, "1.0"), (110, "3.0")].map { Self.word("d", "check", at: $0.0, $0.1) })
    var expected = PolledTimes()
    expected.add(entry: 0, after: 3600, upTo: 110 * 3600, cause: .unknown)
    #expect(try Self.bounds(fleet) { $0.estimand = .patched }.times == expected)
    #expect(try Self.bounds(fleet) { $0.estimand = .speed }.open == 0)
  }

  /// The same phones, looked at every 8 and every 48 h: the median moves by 5 % at most, and the truth, 40 h × ln 2 = 27.7 h, lies
  /// within the limits. The time of the check is 4 and 20 h late.
  @Test func thinnerChecksMoveTheMedianLittle() throws {
    var medians: [Double] = []
    for step in [8.0, 48] {
      let fleet = try Self.fleet(Self.polled(1500, every: step))
      let snapshot = try Snapshot(path: fleet.path)
      let chosen = try fleet.chosen("2.0", now: Self.start + .hours(96))
      let answer = try TimeToUpdate.answer(snapshot, chosen)
      let median = try #require(answer.data[0].quantiles.first { $0.p == 0.5 }?.seconds)
      #expect(median.method == .intervalCensored && answer.warnings.map(\.code).contains("polled"))
      #expect(median.lo ?? .infinity <= 27.7 * 3600 && median.hi ?? 0 >= 27.7 * 3600, "every \(step) h: \(median)")
      medians.append(median.value ?? 0)
      try Self.checkAdoption(snapshot, chosen, median)
    }
    #expect(abs(medians[1] / medians[0] - 1) <= 0.05, "\(medians.map { $0 / 3600 }) h")
  }

  private static func checkAdoption(_ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ median: Estimate) throws {
    let row = try Adoption.answer(snapshot, chosen).data[0]
    let polled = try #require(row.figures.polled)
    #expect(row.figures.median == median && polled.share == 1)
    #expect(polled.updates == row.counts.events, "who had it at the first word since the publication is in")
    // As far as the cutoff goes, which lies after the last check.
    #expect(row.figures.curve.points.last?.value ?? 0 > 0.85 && polled.curve.last?.share.value != nil)
    for age in row.figures.ages where age.seconds <= 72 * 3600 {
      let truth = 1 - exp(-Double(age.seconds) / 3600 / 40)
      let share = try #require(age.share.value)
      #expect(age.share.method == .intervalCensored && abs(share - truth) < 0.035, "\(age.seconds): \(share), \(truth)")
      // Before the first check that showed an update both reach down to none.
      #expect(age.always.lo ?? 1 <= age.share.lo ?? 0 && age.always.hi ?? 0 > age.share.hi ?? 1)
    }
    for point in polled.curve where point.seconds <= 72 * 3600 {
      let share = point.share.value ?? 0
      #expect(point.latest <= share + 0.02 && share <= point.earliest + 0.02, "\(point)")
    }
  }

  /// Phones are opened at any time, every 24 h on average, and check then: the release comes as it is opened for the first time, and runs
  /// as it is for the second, at the check itself, so 1 - e^-x (1 + x) have it after x days. The estimate, for which an update lies
  /// anywhere between, is too fast, and its limits hold all the same.
  @Test func limitsHoldWhereTheCheckIsTheStart() throws {
    var dice = SystemlessDice(state: 5)
    let fleet = try Self.fleet(
      (0..<600).flatMap { device -> [String] in
        var (at, opened, lines) = (-72.0, 0, [Self.word("d\(device)", "check", at: -72, "1.0")])
        while true {
          at -= 24 * log(1 - dice.next())
          guard at < 96 else { return lines }
          if at > 0 { opened += 1 }
          lines.append(Self.word("d\(device)", "check", at: at, opened > 1 ? "2.0" : "1.0"))
        }
      })
    var options = Adoption.Options()
    options.ages = [.hours(12), .hours(24), .hours(48)]
    let chosen = try fleet.chosen("2.0", now: Self.start + .hours(96))
    let figures = try Adoption.answer(try Snapshot(path: fleet.path), chosen, options).data[0].figures
    for age in figures.ages {
      let days = Double(age.seconds) / 86_400
      let truth = 1 - exp(-days) * (1 + days)
      let (lo, value, hi) = (try #require(age.share.lo), try #require(age.share.value), try #require(age.share.hi))
      #expect(lo < truth && truth + 0.05 < value && value < hi, "\(age.seconds): \(age.share), \(truth)")
      #expect(try #require(age.always.lo) < lo)
    }
    // Half have it after 40.3 h.
    let median = figures.median
    #expect(try #require(median.value) < 36 * 3600 && #require(median.hi) > 40.3 * 3600, "\(median)")
    let wait = try #require(figures.restrictedMeans.first { $0.horizonSeconds == 72 * 3600 }).seconds
    #expect(try #require(wait.value) < 38 * 3600 && #require(wait.hi) > 42 * 3600, "42.0 h until 72 h: \(wait)")
  }

  /// On the first day no device was heard of twice since the publication, so the first word of all that updated is that they did.
  @Test func theFirstDayIsEstimated() throws {
    var dice = SystemlessDice(state: 3)
    let fleet = try Self.fleet(
      (0..<400).flatMap { device -> [String] in
        let (time, phase) = (-40 * log(1 - dice.next()), Double(device) / 400 * 24)
        return stride(from: phase - 72, to: 20, by: 24).map {
          Self.word("d\(device)", "check", at: $0, $0 >= time ? "2.0" : "1.0")
        }
      })
    var options = Adoption.Options()
    options.ages = [.hours(12)]
    let chosen = try fleet.chosen("2.0", now: Self.start + .hours(20))
    let row = try Adoption.answer(try Snapshot(path: fleet.path), chosen, options).data[0]
    let share = try #require(row.figures.ages[0].share.value)
    #expect(abs(share - (1 - exp(-12.0 / 40))) < 0.1, "\(share)")
    #expect(row.counts.devices == 400 && row.counts.excluded[Exclusion.bornOn.rawValue] ?? 0 == 0)
    #expect(row.counts.events > 30 && row.counts.events == row.figures.polled?.updates)
  }

  /// Of a release whose launches are seen the one before is estimated all the same, as in `compare`.
  @Test func theReleaseBeforeIsEstimatedAsInCompare() throws {
    let fleet = try Self.fleet(
      Self.polled(1000, every: 8)
        + (0..<200).flatMap {
          [
            Self.word("e\($0)", "check", at: 99, "2.0"),
            Self.word("e\($0)", "applied", at: 101 + Double($0) / 3, "3.0"),
          ]
        })
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try fleet.chosen("3.0", now: Self.start + .hours(196))
    var options = Adoption.Options()
    options.ages = [.hours(24)]
    let row = try Adoption.answer(snapshot, chosen, options).data[0].figures
    let other = try #require(chosen.timeline.record(ReleaseLabel(rawValue: "2.0")))
    let age = try Compare.answer(snapshot, chosen, with: other).data[0].ages[0]
    #expect(row.polled == nil && row.ages[0].share == age.share)
    #expect(row.ages[0].baseline == age.baseline && age.baseline.method == .intervalCensored)
    #expect(row.ages[0].difference == age.difference)
  }

  /// Every second phone gets it by a silent push that a check tells of, of the others nobody saw how: what became of both, at every age, in
  /// `mechanisms` and in the curves of `time-to-update`; shares and those that wait make all.
  @Test func mechanismsAreEstimatedBetweenChecks() throws {
    var updates: [(hours: Double, mechanism: String)] = []
    let fleet = try Self.fleet(Self.polled(1000, every: 8) { updates.append(($0, $1 ? "silentPush" : "unknown")) })
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try fleet.chosen("2.0", now: Self.start + .hours(96))
    let answer = try Mechanisms.answer(snapshot, chosen)
    let row = answer.data[0].figures
    #expect(row.polled != nil && answer.warnings.map(\.code).contains("polled"))
    for age in row.ages where age.seconds <= 72 * 3600 && age.seconds >= 6 * 3600 {
      for name in ["silentPush", "unknown"] {
        let truth = updates.count { $0.mechanism == name && $0.hours * 3600 <= Double(age.seconds) }
        let share = try #require(age.shares.first { $0.mechanism == name }?.share)
        #expect(share.method == .intervalCensored)
        #expect(abs((share.value ?? 0) - Double(truth) / 1000) < 0.03, "\(name) \(age.seconds): \(share), \(truth)")
        #expect(share.lo ?? 1 < share.value ?? 0 && share.hi ?? 0 > share.value ?? 1)
      }
      let all = age.shares.reduce(age.waiting.value ?? 0) { $0 + ($1.share.value ?? 0) }
      #expect(abs(all - 1) < 1e-9 && age.differences.count == 1)
    }
    try Self.checkCurves(snapshot, chosen, updates)
  }

  private static func checkCurves(
    _ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ updates: [(hours: Double, mechanism: String)]
  ) throws {
    let parts = try TimeToUpdate.answer(snapshot, chosen).data[0].mechanisms
    #expect(Set(parts.map(\.mechanism)) == ["silentPush", "unknown"])
    for part in parts {
      #expect(part.curve.allSatisfy { $0.share.method == .intervalCensored })
      let own = updates.filter { $0.mechanism == part.mechanism }.map(\.hours).sorted()
      let quarter = try #require(part.quantiles.first { $0.p == 0.25 }?.seconds)
      #expect(
        quarter.method == .intervalCensored && abs((quarter.value ?? 0) / 3600 - own[249]) < 4,
        "\(quarter), \(own[249])")
    }
    // A newer release that competes is known at checks only: shares stay, and the answer says so.
    var competing = chosen
    competing.selection.estimand = .asHappened
    let kept = try Mechanisms.answer(snapshot, competing)
    #expect(kept.data[0].figures.polled != nil)
    #expect(kept.data[0].figures.ages[2].shares.allSatisfy { $0.share.method == .aalenJohansenCloglog })
    #expect(kept.warnings.contains { $0.code == "polled" && $0.message.contains("at least as large as shown") })
  }

  /// The same phones take up 3.0 as fast as 2.0: equal, whether the checks of the second are as far apart or not; at the checks the one that is
  /// looked at seldom seems slower.
  @Test func comparedReleasesAreEstimatedBetweenChecks() throws {
    let fleet = try Self.fleet(
      Self.polled(1000, every: 8) + Self.polled(1000, every: 36, from: 100, "2.0", "3.0", name: "e"))
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try fleet.chosen("3.0", now: Self.start + .hours(196))
    let other = try #require(chosen.timeline.record(ReleaseLabel(rawValue: "2.0")))
    let answer = try Compare.answer(snapshot, chosen, with: other)
    let row = answer.data[0]
    #expect(row.first.polled != nil && row.second.polled != nil)
    #expect(answer.warnings.contains { $0.code == "polled" && $0.message.contains("log-rank") })
    for age in row.ages {
      #expect(age.share.method == .intervalCensored && age.baseline.method == .intervalCensored)
      #expect(
        abs(age.difference.value ?? 1) < 0.05 && age.difference.lo ?? 1 < 0 && age.difference.hi ?? -1 > 0, "\(age)")
    }
    #expect(row.restrictedMeans.allSatisfy { $0.seconds.method == .intervalCensored })
    // The verdict on speed goes by the same.
    let extent = try FleetScope(snapshot.vocabulary, app: "com.example.demo", now: Self.start + .hours(196))
    let verdict = try snapshot.ask(Verdict.Question(snapshot.vocabulary, extent)).data[0]
    let speed = try #require(verdict.reasons.first { $0.subject == .speed })
    #expect(speed.condition == .healthy && abs(speed.value?.value ?? 1) < 0.05, "\(speed.sentence)")
  }

  /// From the devices and from the summary alike.
  @Test(arguments: [false, true]) func releasesAreEstimatedBetweenChecks(_ isSummarised: Bool) throws {
    let fleet = try Self.fleet(Self.polled(800, every: 24))
    if isSummarised { try Summary.refresh(path: fleet.path) }
    let snapshot = try Snapshot(path: fleet.path)
    let now = Self.start + .hours(96)
    let answer = try Releases.answer(snapshot, app: "com.example.demo", now: now)
    let row = try #require(answer.data.first { $0.release == "2.0" })
    let adoption = try Adoption.answer(snapshot, try fleet.chosen("2.0", now: now)).data[0].figures
    #expect(row.isPolled && row.median == adoption.median && row.adopted.method == .intervalCensored)
    #expect(abs((row.median.value ?? 0) / 3600 - 27.7) < 4, "\(row.median)")
    #expect(answer.warnings.map(\.code).contains("polled"))
    let sparkline = row.sparkline.compactMap(\.self)
    #expect(!sparkline.isEmpty && zip(sparkline, sparkline.dropFirst()).allSatisfy { $0 <= $1 })
    let day = try #require(adoption.ages.first { $0.seconds == 86_400 }?.share.value)
    #expect(row.sparkline[2].map { $0 < day } ?? false, "21 h before 24 h")
  }

  /// Limits of all ages together are wider than those of each, and named; a table of times that are seen has them, too.
  @Test(arguments: [true, false]) func bandsOfAllAges(_ isPolled: Bool) throws {
    let words =
      isPolled
      ? Self.polled(400, every: 24)
      : (0..<200).flatMap {
        [Self.word("d\($0)", "check", at: -1, "1.0"), Self.word("d\($0)", "applied", at: Double($0 % 90) + 1, "2.0")]
      }
    let fleet = try Self.fleet(words)
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try fleet.chosen("2.0", now: Self.start + .hours(96))
    var (options, times) = (Adoption.Options(), TimeToUpdate.Options())
    (options.bands, times.bands) = (.simultaneous, .simultaneous)
    let (wide, narrow) = (
      try Adoption.answer(snapshot, chosen, options).data[0].figures,
      try Adoption.answer(snapshot, chosen).data[0].figures
    )
    let band = try #require(wide.band)
    #expect(narrow.band == nil)
    for (all, one) in zip(wide.ages, narrow.ages)
    where band.fromSeconds...band.untilSeconds ~= all.seconds && one.share.lo != nil {
      #expect(all.share.method == (isPolled ? .intervalCensoredBand : .kaplanMeierBand))
      #expect(
        all.share.value == one.share.value && all.share.lo ?? 1 <= one.share.lo ?? 0
          && all.share.hi ?? 0 > one.share.hi ?? 1)
    }
    let answer = try TimeToUpdate.answer(snapshot, chosen, times)
    let median = try #require(answer.data[0].quantiles.first { $0.p == 0.5 }?.seconds)
    #expect(median == wide.median && median.lo ?? .infinity < narrow.median.lo ?? 0)
    #expect(
      answer.data[0].mechanisms[0].curve.last?.share.method == (isPolled ? .intervalCensoredBand : .aalenJohansenBand))
  }

  /// What none of three devices did has a limit at each age; shown with limits of all ages it would be taken for one of those.
  @Test func fewDevicesHaveNoLimitsOfAllAges() throws {
    let fleet = try Self.fleet((0..<3).map { Self.word("d\($0)", "check", at: -1, "1.0") })
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try fleet.chosen("2.0", now: Self.start + .hours(96))
    var options = Adoption.Options()
    options.bands = .simultaneous
    let (all, each) = (
      try Adoption.answer(snapshot, chosen, options).data[0].figures,
      try Adoption.answer(snapshot, chosen).data[0].figures
    )
    #expect(each.ages[0].atMost != nil)
    #expect(all.band == nil && all.ages.allSatisfy { $0.atMost == nil && $0.atLeast == nil && $0.share.hi == nil })
  }

  /// Of few updates nobody can tell when between two checks they were: that is said, and not passed over.
  @Test(arguments: [(20, ["too_few_to_poll"]), (200, ["polled"])])
  func saysWhetherTimesAreThoseOfChecks(_ devices: Int, _ codes: [String]) throws {
    let fleet = try Self.fleet(Self.polled(devices, every: 12))
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try fleet.chosen("2.0", now: Self.start + .hours(96))
    let told = [
      try Adoption.answer(snapshot, chosen).warnings, try TimeToUpdate.answer(snapshot, chosen).warnings,
      try Mechanisms.answer(snapshot, chosen).warnings,
    ]
    for warnings in told {
      #expect(warnings.map(\.code).filter { ["polled", "too_few_to_poll"].contains($0) } == codes, "\(warnings)")
    }
  }

  /// Fleets whose launches are seen have nothing of it, and cost no second scan.
  @Test func whatIsSeenIsNotEstimated() throws {
    let fleet = try Self.fleet(
      (0..<60).flatMap {
        [Self.word("d\($0)", "check", at: -1, "1.0"), Self.word("d\($0)", "applied", at: Double($0), "2.0")]
      })
    let row = try Adoption.answer(try Snapshot(path: fleet.path), try fleet.chosen("2.0", now: Self.start + .hours(96)))
      .data[0]
    #expect(row.figures.polled == nil && row.figures.median.method == .kaplanMeierQuantile)
    #expect(PolledCount.isWorthIt([row.counts]) == false)
    #expect([(counts: row.counts, isPolled: false)].checkWarnings.isEmpty)
  }
}

extension PolledTests {
  private static let start = Timestamp(rawValue: 1_709_539_200_000)

  private static func word(
    _ device: String, _ stage: String, at hours: Double, _ release: String, _ trigger: String? = nil
  )
    -> String
  {
    let at = (start + Milliseconds(rawValue: Int64(hours * 3_600_000))).rfc3339
    return
      #"{"device":"\#(device)","stage":"\#(stage)","release":"\#(release)","platform":"ios","at":"\#(at)"\#(trigger.map { #","trigger":"\#($0)""# } ?? "")}"#
  }

  private static func fleet(_ lines: [String]) throws -> Fleet {
    let fleet = try Fleet()
    try fleet.publish(
      [("2.0", 0), ("3.0", 100)].map { label, hours in
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: label), channel: "production",
          publishedAt: start + .hours(hours))
      })
    try fleet.load(lines.joined(separator: "\n"))
    return fleet
  }

  private static func bounds(_ fleet: Fleet, _ change: (inout Selection) -> Void = { _ in }) throws -> UpdateBounds {
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try fleet.chosen("2.0", now: start + .hours(1000), change)
    let counting = RiskCounting(snapshot.vocabulary, chosen, [chosen.target], countsBounds: true)
    let sum = counting.sum(try snapshot.count(counting.need) { counting.start })
    return sum.counters.compactMap(\.counter.bounds).reduce(into: UpdateBounds()) { $0.add($1) }
  }

  /// Exponential with a mean of 40 h; checked from three days before.
  ///
  /// - Parameter told: when each updated, and whether the check before had told of its delivery by a silent push; nil for none of these.
  private static func polled(
    _ devices: Int, every step: Double, from start: Double = 0, _ before: String = "1.0", _ after: String = "2.0",
    name: String = "d", _ told: ((Double, Bool) -> Void)? = nil
  ) -> [String] {
    var dice = SystemlessDice(state: 7)
    return (0..<devices).flatMap { device -> [String] in
      let (time, phase) = (start - 40 * log(1 - dice.next()), dice.next())
      let hours = Array(stride(from: start + phase * step - 72, to: start + 96, by: step))
      let checks = hours.map { word("\(name)\(device)", "check", at: $0, $0 >= time ? after : before) }
      guard let told else { return checks }
      let last = hours.last { $0 < time && $0 > start }
      let isPushed = device % 2 == 0 && last != nil
      told(time, isPushed)
      return checks + (isPushed ? [word("\(name)\(device)", "ready", at: last ?? 0, after, "silentPush")] : [])
    }
  }
}

/// From 0 to 1, the same everywhere.
struct SystemlessDice {
  var state: UInt64

  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let mixed = (state ^ (state >> 32)) &* 0x9E37_79B9_7F4A_7C15
    return Double((mixed ^ (mixed >> 29)) >> 11) * 0x1p-53
  }
}
