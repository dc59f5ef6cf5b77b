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
    case "(1h, 9h]": expected.add(entry: 0, after: 3600, upTo: 9 * 3600)
    case "(0h, 20h]": expected.add(entry: 0, after: 0, upTo: 20 * 3600)
    case "without to 90h": expected.add(entry: 0, after: 90 * 3600, upTo: nil)
    case "without to 1h": expected.add(entry: 0, after: 3600, upTo: nil)
    default: expected.add(entry: 0, after: 10 * 3600, upTo: 20 * 3600)
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
    expected.add(entry: 0, after: 6 * 3600, upTo: 9 * 3600)
    #expect(ready.times == expected && ready.open == 1)
    for stage in ["applied", "confirmed"] {
      let seen = try Self.bounds(Self.fleet([before, Self.word("d", stage, at: 9, "2.0")]))
      var exact = PolledTimes()
      exact.add(entry: 0, after: 9 * 3600 - 1, upTo: 9 * 3600)
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
    expected.add(entry: 0, after: 3600, upTo: 110 * 3600)
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
    #expect(polled.updates > row.counts.events, "who had it at the first word since the publication is in")
    // As far as the cutoff goes, which lies after the last check.
    #expect(row.figures.curve.points.last?.value ?? 0 > 0.85 && polled.curve.last?.share.value != nil)
    for age in row.figures.ages where age.seconds <= 72 * 3600 {
      let truth = 1 - exp(-Double(age.seconds) / 3600 / 40)
      let share = try #require(age.share.value)
      #expect(age.share.method == .intervalCensored && abs(share - truth) < 0.035, "\(age.seconds): \(share), \(truth)")
      #expect(age.always.lo ?? 1 < age.share.lo ?? 0 && age.always.hi ?? 0 > age.share.hi ?? 1)
    }
    for point in polled.curve where point.seconds <= 72 * 3600 {
      let share = point.share.value ?? 0
      #expect(point.latest <= share + 0.02 && share <= point.earliest + 0.02, "\(point)")
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
  }
}

extension PolledTests {
  private static let start = Timestamp(rawValue: 1_709_539_200_000)

  private static func word(_ device: String, _ stage: String, at hours: Double, _ release: String) -> String {
    let at = (start + Milliseconds(rawValue: Int64(hours * 3_600_000))).rfc3339
    return #"{"device":"\#(device)","stage":"\#(stage)","release":"\#(release)","platform":"ios","at":"\#(at)"}"#
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
  private static func polled(_ devices: Int, every step: Double) -> [String] {
    var dice = SystemlessDice(state: 7)
    return (0..<devices).flatMap { device -> [String] in
      let (time, phase) = (-40 * log(1 - dice.next()), dice.next())
      return stride(from: phase * step - 72, to: 96, by: step).map { hour in
        word("d\(device)", "check", at: hour, hour >= time ? "2.0" : "1.0")
      }
    }
  }
}

/// From 0 to 1, the same everywhere.
private struct SystemlessDice {
  var state: UInt64

  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let mixed = (state ^ (state >> 32)) &* 0x9E37_79B9_7F4A_7C15
    return Double((mixed ^ (mixed >> 29)) >> 11) * 0x1p-53
  }
}
