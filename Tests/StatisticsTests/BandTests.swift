import Foundation
import Testing

@testable import Statistics

/// Limits that hold at all ages together: widths against R's tables and a slow resampling, and how often they hold whole curves.
struct BandTests {
  struct Expected: Decodable {
    struct Critical: Decodable { var level, from, until, width: Double }
    struct Resampled: Decodable {
      var from: Tick
      var width: Double
      var times: [Tick]
      var error: [Double]
    }
    var equalPrecision: [Critical]
    var mid_mix: [String: Resampled]
  }

  static func expected() throws -> Expected {
    try JSONDecoder().decode(Expected.self, from: Data(Reference.text("bands.expected.json").utf8))
  }

  /// R km.ci 0.5-6, whose tables are of a = nσ²/(1 + nσ²): only the odds of a count.
  @Test func widthsOfEqualPrecisionAreThoseOfTheTables() throws {
    for row in try Self.expected().equalPrecision {
      let growth = row.until / (1 - row.until) / (row.from / (1 - row.from))
      let width = equalPrecisionWidth(level: row.level, growth: growth)
      #expect(abs(width - row.width) < 1e-4, "\(row.from) to \(row.until): \(width)")
    }
  }

  /// 4,000 draws against 100,000 with a multiplier for each device: both widths are known to a hundredth or so.
  @Test func resampledWidthsAreThoseOfMultipliers() throws {
    let incidence = AalenJohansen(try Reference("mid_mix").table())
    for (name, expected) in try Self.expected().mid_mix {
      let cause = try #require(UInt8(name).flatMap(Cause.init(rawValue:)))
      let limits = incidence.simultaneousLimits(of: cause, level: 0.95)
      #expect(limits.ages?.lowerBound == expected.from, "cause \(name)")
      #expect(abs(limits.width / expected.width - 1) < 0.03, "cause \(name): \(limits.width) and \(expected.width)")
      let errors = IncidenceErrors(incidence, cause, at: expected.times)
      for (age, error) in zip(errors.ages, expected.error) {
        #expect(abs(age.error / error - 1) < 0.02, "cause \(name) at \(age.tick): \(age.error) and \(error)")
      }
    }
  }

  /// What is drawn has the variance that pointwise limits have.
  @Test func drawsHaveTheVarianceOfTheCurve() throws {
    let incidence = AalenJohansen(try Reference("mid_mix").table())
    let ticks: [Tick] = [36_000, 108_000, 200_000].map { wanted in
      incidence.ticks(of: 1, atMost: 1000).first { $0 >= wanted } ?? wanted
    }
    let errors = IncidenceErrors(incidence, 1, at: ticks)
    var (own, joint, all) = (0.0, 0.0, 0.0)
    for age in errors.ages {
      (own, joint, all) = (own + age.gained.own, joint + age.gained.joint, all + age.gained.all)
      let variance = own - 2 * age.value * joint + age.value * age.value * all
      expectNear(variance.squareRoot(), age.error, relative: 1e-9, "at \(age.tick)")
    }
    #expect(errors.ages.count == 3)
  }

  @Test(arguments: [0.8, 0.95]) func bandsAreWiderThanPointwiseLimits(_ level: Double) throws {
    let curve = KaplanMeier(try Reference("lung").table())
    let limits = curve.simultaneousLimits(level: level)
    let ages = try #require(limits.ages)
    for tick in curve.ticks(atMost: 200) {
      let (at, all) = (curve.adoption(at: tick, level: level), curve.adoption(at: tick, limits))
      #expect(at.value == all.value && all.method == .kaplanMeierBand)
      if ages.contains(tick) {
        #expect(all.lo ?? 1 < at.lo ?? 0 && all.hi ?? 0 > at.hi ?? 1, "\(tick)")
      } else {
        #expect(all.lo == nil && all.hi == nil && all.reason == .outsideBand, "\(tick)")
      }
    }
  }

  /// A quantile's limits are where the band gets there, and lie in its ages.
  @Test func quantilesComeFromTheBand() throws {
    let curve = KaplanMeier(try Reference("lung").table())
    let limits = curve.simultaneousLimits(level: 0.95)
    let median = curve.quantiles([0.5], limits)[0]
    let (lo, hi) = (try #require(median.lo), try #require(median.hi))
    #expect(curve.adoption(at: Tick(lo), limits).hi ?? 0 >= 0.5 && curve.adoption(at: Tick(hi), limits).lo ?? 0 >= 0.5)
    let at = curve.quantile(0.5, level: 0.95)
    #expect(lo < at.lo ?? 0 && hi > at.hi ?? .infinity && median.method == .kaplanMeierBandQuantile)
    let early = curve.quantiles([0.01], limits)[0]
    #expect(early.lo == nil && early.reason == .outsideBand)
  }

  /// Of nobody, of one, and where nearly nothing is known there is none, and nothing is claimed.
  @Test(arguments: edgePopulations.indices) func fewDevicesHaveNoBand(_ index: Int) {
    let table = LifeTable(intervals: edgePopulations[index].intervals)
    let (curve, incidence) = (KaplanMeier(table), AalenJohansen(table))
    let limits = curve.simultaneousLimits(level: 0.95)
    for tick: Tick in [0, 1, 5, 7, 50] {
      let share = curve.adoption(at: tick, limits)
      if let lo = share.lo, let hi = share.hi, let value = share.value { #expect(lo <= value && value <= hi) }
      if limits.ages == nil { #expect(share.lo == nil && share.hi == nil) }
      for cause in incidence.causes {
        let limits = incidence.simultaneousLimits(of: cause, level: 0.95)
        let share = incidence.incidence(of: cause, at: tick, limits)
        if limits.ages == nil { #expect(share.lo == nil && share.hi == nil) }
      }
    }
  }

  @Test func theSameDrawsEverywhere() throws {
    let incidence = AalenJohansen(try Reference("mid_mix").table())
    let limits = incidence.simultaneousLimits(of: 1, level: 0.95)
    #expect(limits == incidence.simultaneousLimits(of: 1, level: 0.95))
    var draws = NormalDraws()
    let numbers = (0..<20_000).map { _ in draws.next() }
    let mean = numbers.reduce(0, +) / 20_000
    let square = numbers.reduce(0) { $0 + $1 * $1 } / 20_000
    #expect(abs(mean) < 0.025 && abs(square - 1) < 0.04)
  }
}

/// How often a band of 95 % holds a whole curve, whose truth is known.
struct BandCoverageTests {
  /// Some come late, some are lost; half may be five times as fast. Of causes, the first brings those that are fast.
  struct Fleet {
    var devices: Int
    var late: Bool
    var mixed: Bool

    func intervals(_ seed: UInt64) -> [IntervalAtRisk] {
      var dice = SplitMix(seed: seed)
      func exponential(_ mean: Double) -> Double { -mean * log(1 - Double.random(in: 0..<1, using: &dice)) }
      return (0..<devices).compactMap { _ in
        let isFast = Double.random(in: 0..<1, using: &dice) < 0.4
        let wait = exponential(mixed && isFast ? 5 : 40)
        let cause: Cause = isFast ? 1 : 2
        let entry = late && Double.random(in: 0..<1, using: &dice) < 0.3 ? Double.random(in: 0..<60, using: &dice) : 0
        let lost = Double.random(in: 24..<200, using: &dice)
        let (begin, end) = (Tick(entry * 3600), Tick((min(wait, lost) * 3600).rounded(.up)))
        guard begin < end else { return nil }
        return (begin, end, wait <= lost ? .event(cause) : .censored(.silent))
      }
    }

    func share(_ seconds: Tick) -> Double {
      share(1, seconds) + share(2, seconds)
    }
    func share(_ cause: Cause, _ seconds: Tick) -> Double {
      let hours = Double(seconds) / 3600
      return cause == 1 ? 0.4 * -expm1(-hours / (mixed ? 5 : 40)) : 0.6 * -expm1(-hours / 40)
    }
  }

  static let fleets = [
    Fleet(devices: 60, late: false, mixed: false), Fleet(devices: 60, late: true, mixed: true),
    Fleet(devices: 400, late: false, mixed: true), Fleet(devices: 400, late: true, mixed: false),
    Fleet(devices: 2000, late: true, mixed: true),
  ]

  /// Just before each step the truth is highest, and the curve as it was.
  private func holds(
    _ ticks: [Tick], _ ages: ClosedRange<Tick>, _ limits: (Tick) -> Estimate, _ truth: (Tick) -> Double
  ) -> Bool {
    let inside = ticks.filter(ages.contains)
    return zip(inside, inside.dropFirst() + [inside.last ?? 0]).allSatisfy { tick, next in
      let share = limits(tick)
      guard let lo = share.lo, let hi = share.hi else { return true }
      return lo <= truth(tick) && truth(max(tick, next - 1)) <= hi
    }
  }

  /// 1,000 fleets each in `UPTAKE_SOAK`; pointwise limits hold a whole curve in a third to a half of them.
  @Test(arguments: fleets.indices) func bandsHoldWholeCurves(_ index: Int) throws {
    let (fleet, isLong) = (Self.fleets[index], getenv("UPTAKE_SOAK") != nil)
    let rounds = isLong ? 1000 : fleet.devices > 100 ? 20 : 100
    var (held, pointwise) = (0, 0)
    for seed in 0..<rounds {
      let curve = KaplanMeier(LifeTable(intervals: fleet.intervals(UInt64(1000 * index + seed))))
      let limits = curve.simultaneousLimits(level: 0.95)
      guard let ages = limits.ages else { continue }
      let ticks = curve.ticks(atMost: .max)
      if holds(ticks, ages, { curve.adoption(at: $0, limits) }, fleet.share) { held += 1 }
      if holds(ticks, ages, { curve.adoption(at: $0, level: 0.95) }, fleet.share) { pointwise += 1 }
    }
    let error = (0.95 * 0.05 / Double(rounds)).squareRoot()
    let share = Double(held) / Double(rounds)
    if isLong { print("\(fleet): \(share), pointwise \(Double(pointwise) / Double(rounds))") }
    #expect(abs(share - 0.95) <= 0.02 + 3 * error, "\(fleet): \(held) of \(rounds)")
    #expect(Double(pointwise) / Double(rounds) < 0.85, "\(fleet): \(pointwise) of \(rounds)")
  }

  @Test(arguments: [1, 3]) func bandsHoldWholeCurvesOfOneCause(_ index: Int) throws {
    let (fleet, isLong) = (Self.fleets[index], getenv("UPTAKE_SOAK") != nil)
    let rounds = isLong ? 1000 : 10
    var held: [Cause: Int] = [:]
    for seed in 0..<rounds {
      let curves = AalenJohansen(LifeTable(intervals: fleet.intervals(UInt64(5000 * index + seed))))
      for cause: Cause in [1, 2] {
        let limits = curves.simultaneousLimits(of: cause, level: 0.95)
        let ticks = curves.ticks(of: cause, atMost: .max)
        let isHeld =
          limits.ages.map { ages in
            holds(ticks, ages, { curves.incidence(of: cause, at: $0, limits) }, { fleet.share(cause, $0) })
          } ?? true
        held[cause, default: 0] += isHeld ? 1 : 0
      }
    }
    let error = (0.95 * 0.05 / Double(rounds)).squareRoot()
    for (cause, count) in held {
      let share = Double(count) / Double(rounds)
      if isLong { print("\(fleet), cause \(cause.rawValue): \(share)") }
      #expect(abs(share - 0.95) <= 0.025 + 3 * error, "\(fleet), cause \(cause): \(count) of \(rounds)")
    }
  }
}
