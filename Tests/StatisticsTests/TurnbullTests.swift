import Statistics
import Testing

/// Times of which only bounds are known.
@Suite struct TurnbullTests {
  /// Radiation only: time to cosmetic deterioration in months, from and through; D. M. Finkelstein and R. A. Wolfe, Biometrics
  /// 41 (1985), 933-945, as in the R package interval (cran/interval, data/bcos.rda). nil: not yet.
  static let cosmesis: [(Tick, Tick?)] = [
    (45, nil), (6, 10), (0, 7), (46, nil), (46, nil), (7, 16), (17, nil), (7, 14), (37, 44), (0, 8), (4, 11), (15, nil),
    (11, 15), (22, nil), (46, nil), (46, nil), (25, 37), (46, nil), (26, 40), (46, nil), (27, 34), (36, 44), (46, nil),
    (36, 48), (37, nil), (40, nil), (17, 25), (46, nil), (11, 18), (38, nil), (5, 12), (37, nil), (0, 5), (18, nil),
    (24, nil), (36, nil), (5, 11), (19, 35), (17, 25), (24, nil), (32, nil), (33, nil), (19, 26), (37, nil), (34, nil),
    (36, nil),
  ]

  /// To six digits by plain self-consistency steps, written apart in Python; to four those that M. P. Fay and P. A. Shaw print
  /// (Journal of Statistical Software 36, 2, 2010, `icfit(Surv(left, right, type = "interval2") ~ treatment)`).
  static let masses: [(Tick, Tick, Double)] = [
    (4, 5, 0.046347), (6, 7, 0.033363), (7, 8, 0.088667), (11, 12, 0.070753), (24, 25, 0.092646), (33, 34, 0.081786),
    (38, 40, 0.120880), (46, 48, 0.465558),
  ]

  @Test func breastCosmesis() {
    let found = Turnbull(Self.cosmesis.map { TimeBounds(after: $0.0, through: $0.1) })
    #expect(found.slack <= 1e-8 && found.spans.count == Self.masses.count, "\(found)")
    for (span, expected) in zip(found.spans, Self.masses) {
      #expect(span.after == expected.0 && span.through == expected.1)
      #expect(abs(span.mass - expected.2) < 2e-6, "\(span)")
    }
    #expect(found.quantile(0.5) == 39...40)
    #expect(abs(found.leastShare(at: 40) - 0.534442) < 1e-5)
    #expect(found.leastShare(at: 39) < found.mostShare(at: 39))
  }

  /// With times known to the tick it is Kaplan and Meier's estimate, with late entries and without.
  @Test(arguments: [false, true], [1, 2, 3] as [UInt64])
  func exactTimesGiveKaplanMeier(_ late: Bool, _ seed: UInt64) {
    // All are watched from the first tick on, so that no early risk set is empty.
    let always: [IntervalAtRisk] = (0..<10).map { _ in (0, 39, .censored(.cutOff)) }
    let people = population(60, causes: 1, late: late, seed: seed) + always
    let bounds = people.map { person -> TimeBounds in
      switch person.ending {
      case .event: .exactly(person.exit, entry: person.entry)
      case .censored: TimeBounds(entry: person.entry, after: person.exit, through: nil)
      }
    }
    let (found, curve) = (Turnbull(bounds, tolerance: 1e-11), KaplanMeier(LifeTable(intervals: people)))
    for tick in [1, 5, 11, 20, 30, 38] as [Tick] {
      let share = curve.adoption(at: tick, level: 0.95).value ?? .nan
      #expect(abs(found.leastShare(at: tick) - share) < 1e-5, "at \(tick): \(share), slack \(found.slack)")
    }
  }

  /// Whatever the bounds: all mass is somewhere, and no span deserves more.
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func isAMaximum(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let bounds = (0..<40).map { _ -> TimeBounds in
      let after = Tick.random(in: 0..<30, using: &random)
      let isOpen = Int.random(in: 0..<4, using: &random) == 0
      return TimeBounds(after: after, through: isOpen ? nil : after + Tick.random(in: 1..<12, using: &random))
    }
    let found = Turnbull(bounds)
    #expect(found.slack <= 1e-8, "after \(found.steps) steps")
    #expect(abs(found.spans.reduce(0) { $0 + $1.mass } - 1) < 1e-6)
    for bound in bounds {
      let own = found.spans.filter { $0.after >= bound.after && ($0.through ?? .max) <= bound.through ?? .max }
      #expect(own.contains { $0.mass > 0 })
    }
  }

  /// The same 400 devices, in contact every 8 hours or every 48: the median moves by at most a twentieth, where the time of the
  /// contact with the update would be a day late.
  @Test func thinnedContactsMoveTheMedianLittle() {
    var random = SplitMix(seed: 19)
    let times = (0..<400).map { _ in
      Tick.random(in: 1..<20_000, using: &random) + Tick.random(in: 0..<4_000, using: &random)
    }
    let phases = times.map { _ in Tick.random(in: 0..<2_880, using: &random) }
    func median(every step: Tick) -> Double {
      let found = Turnbull(
        zip(times, phases).map { time, phase in
          let after = max(0, (time - 1 - phase % step + step) / step * step + phase % step - step)
          return TimeBounds(after: after, through: after == 0 && time <= phase % step ? phase % step : after + step)
        }, tolerance: 1e-5)
      return found.quantile(0.5).map { Double($0.lowerBound + $0.upperBound) / 2 } ?? .nan
    }
    let (often, seldom) = (median(every: 480), median(every: 2_880))
    #expect(abs(seldom / often - 1) <= 0.05, "\(often) and \(seldom) minutes")
  }

  @Test func edges() {
    #expect(Turnbull([]).spans.isEmpty)
    let nobody = Turnbull([TimeBounds(after: 5, through: nil)])
    #expect(nobody.mostShare(at: 100) == 0 && nobody.quantile(0.5) == nil)
    let one = Turnbull([TimeBounds(after: 5, through: 9)])
    #expect(one.leastShare(at: 8) == 0 && one.mostShare(at: 6) == 1 && one.leastShare(at: 9) == 1)
    #expect(one.quantile(0.5) == 6...9)
    #expect(TimeBounds(entry: 7, after: 3, through: 2) == TimeBounds(entry: 7, after: 7, through: 8))
  }
}
