import Foundation
import Statistics
import Testing

/// Two curves of partly the same devices: what their waits have in common makes the difference surer.
struct SharedDevicesTests {
  private typealias Wait = (exit: Tick, isUpdate: Bool)

  private static let hour: Tick = 3600

  private static func curve(_ waits: [Wait]) -> KaplanMeier {
    KaplanMeier(
      LifeTable(intervals: waits.map { (0, $0.exit, $0.isUpdate ? .event(1) : .censored(.cutOff)) }))
  }

  private static func marks(_ wait: Wait) -> [SharedEnds.Mark] {
    var marks: [SharedEnds.Mark] = []
    marks.add(entry: 0, exit: wait.exit, wait.isUpdate ? .event(1) : .censored(.cutOff), events: .all)
    return marks
  }

  private static func shared(_ pairs: some Sequence<(Wait, Wait)>) -> SharedEnds {
    var ends = SharedEnds()
    for (one, other) in pairs { SharedEnds.pairs(marks(one), marks(other)) { ends.add($0, times: $1) } }
    return ends
  }

  /// Of n devices, all in both, b updated by the age with the first release alone and c with the second alone: the variance of
  /// the difference is (b + c - (b - c)²/n)/n² (McNemar).
  @Test func withoutCensoringItIsMcNemars() throws {
    let counts = [(60, true, true), (25, true, false), (10, false, true), (105, false, false)]
    let pairs = counts.flatMap { count, one, other in
      (0..<count).map { place -> (Wait, Wait) in
        let early = Self.hour + Tick(place)
        return ((one ? early : 90 * Self.hour, true), (other ? early + 7 : 80 * Self.hour, true))
      }
    }
    let curves = [Self.curve(pairs.map(\.0)), Self.curve(pairs.map(\.1))]
    let horizon = 24 * Self.hour
    let found = curves[0].adoptionDifference(from: curves[1], at: horizon, level: 0.95, shared: Self.shared(pairs))
    #expect(found.method == .pairedMover)
    let error = ((25.0 + 10 - 225.0 / 200).squareRoot()) / 200
    let width = try #require(found.hi) - #require(found.lo)
    #expect(abs(width / (2 * 1.96 * error) - 1) < 0.02)
    let mean = curves[0].restrictedMeanDifference(
      from: curves[1], to: horizon, level: 0.95, shared: Self.shared(pairs))
    #expect(mean.method == .pairedDifference)
    // Waits within the horizon in hours, less their mean: exactly the variance of paired differences, but for spans.
    let hours = pairs.map { Double(min($0.0.exit, horizon) - min($0.1.exit, horizon)) }
    let middle = hours.reduce(0, +) / 200
    let spread = (hours.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }).squareRoot() / 200
    let meanWidth = try #require(mean.hi) - #require(mean.lo)
    #expect(abs(meanWidth / (2 * 1.96 * spread) - 1) < 0.02)
  }

  /// Nobody in both: to the byte what it was.
  @Test func strangersAreIndependent() {
    let curves = [1, 2].map { seed in KaplanMeier(LifeTable(intervals: population(200, seed: seed))) }
    let plain = curves[0].adoptionDifference(from: curves[1], at: 20, level: 0.95)
    #expect(plain.method == .mover)
    #expect(curves[0].adoptionDifference(from: curves[1], at: 20, level: 0.95, shared: SharedEnds()) == plain)
  }

  /// Late entries count against ends: a device that came back at 8 h was not at risk before.
  @Test func orderDoesNotMatter() {
    var (there, back) = (SharedEnds(), SharedEnds())
    var marks: [SharedEnds.Mark] = []
    marks.add(entry: 8 * Self.hour, exit: 30 * Self.hour, .event(1), events: .all)
    #expect(marks.count == 2)
    let other = Self.marks((5 * Self.hour, true))
    SharedEnds.pairs(marks, other) { there.add($0, times: $1) }
    SharedEnds.pairs(marks.reversed(), other) { back.add($0, times: $1) }
    #expect(there == back && !there.isEmpty)
    SharedEnds.pairs(marks, other) { back.add($0, times: -$1) }
    #expect(back.isEmpty)
  }

  /// Phones that are opened seldom are late with each release. 400 devices; a fifth comes new with the second release, a fifth is
  /// gone by then; some are censored. The truth is 0: both releases are alike.
  @Test func limitsHoldTheTruth() throws {
    var random = SplitMix(seed: 14)
    var (covered, coveredMeans, widths, meanWidths) = (0, 0, 0.0, 0.0)
    let fleets = 400
    for _ in 0..<fleets {
      let pace = (0..<400).map { _ in exp(Double.normal(&random) * 1.2) }
      let waits = [0, 1].map { _ in pace.map { Self.wait($0, &random) } }
      let curves = [Self.curve(Array(waits[0][..<320])), Self.curve(Array(waits[1][80...]))]
      let shared = Self.shared(zip(waits[0][80..<320], waits[1][80..<320]))
      let found = curves[0].adoptionDifference(from: curves[1], at: 24 * Self.hour, level: 0.95, shared: shared)
      let alone = curves[0].adoptionDifference(from: curves[1], at: 24 * Self.hour, level: 0.95)
      let mean = curves[0].restrictedMeanDifference(
        from: curves[1], to: 72 * Self.hour, level: 0.95, shared: shared)
      let meanAlone = curves[0].restrictedMeanDifference(from: curves[1], to: 72 * Self.hour, level: 0.95)
      if let lo = found.lo, let hi = found.hi, lo <= 0, hi >= 0 { covered += 1 }
      if let lo = mean.lo, let hi = mean.hi, lo <= 0, hi >= 0 { coveredMeans += 1 }
      widths += try Self.width(found) / Self.width(alone) / Double(fleets)
      meanWidths += try Self.width(mean) / Self.width(meanAlone) / Double(fleets)
    }
    #expect((372...392).contains(covered) && (372...392).contains(coveredMeans))
    #expect(widths < 0.92 && meanWidths < 0.90)
  }

  private static func width(_ estimate: Estimate) throws -> Double {
    try #require(estimate.hi) - #require(estimate.lo)
  }

  /// Exponential with a pace of its own; looked at for one to ten days.
  private static func wait(_ pace: Double, _ random: inout SplitMix) -> Wait {
    let wait = -log(Double.random(in: 1e-12..<1, using: &random)) * 20 * 3600 / pace
    let end = Double.random(in: 24...240, using: &random) * 3600
    return (Tick(min(wait, end)) + 1, wait <= end)
  }
}

extension Double {
  /// Box and Muller.
  fileprivate static func normal(_ random: inout SplitMix) -> Double {
    let (one, other) = (Double.random(in: 1e-12..<1, using: &random), Double.random(in: 0..<1, using: &random))
    return (-2 * log(one)).squareRoot() * cos(2 * .pi * other)
  }
}
