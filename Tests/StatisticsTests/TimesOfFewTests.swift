import Statistics
import Testing

/// Times by which a share had updated, of few devices. No chance in this: every number of devices is gone through.
struct TimesOfFewTests {
  static let shares = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95]

  private static func intervals(_ devices: Int) -> [IntervalAtRisk] { (1...devices).map { (0, Tick($0), .event(1)) } }

  /// Of n devices that updated at 1, 2, … n a lower limit at r lies above the truth where fewer than r had updated by then.
  ///
  /// 2.5 % are meant. A limit at the first update whatever the share would miss the tenth of three devices in 73 %, of twelve in 28 %.
  @Test(arguments: 1...60) func lowerLimitsAreSeldomTooHigh(_ devices: Int) {
    let curve = KaplanMeier(LifeTable(intervals: Self.intervals(devices)))
    for (share, time) in zip(Self.shares, curve.times(Self.shares, .pointwise(level: 0.95))) {
      let missed = time.lo.map { chance(below: Int($0), of: devices, share) } ?? 0
      #expect(missed < 0.035, "\(share) of \(devices) devices: \(missed)")
    }
  }

  /// 1 - 0.025^(1/36) is 0.0974, 1 - 0.025^(1/35) is 0.1001.
  @Test func aTenthHasALowerLimitFrom36DevicesOn() {
    let limits = [35, 36].map { devices in
      KaplanMeier(LifeTable(intervals: Self.intervals(devices))).time(0.1, level: 0.95)
    }
    #expect(limits.map(\.lo) == [nil, 1])
    #expect(limits.map(\.reason) == [.tooFew, nil])
    #expect(limits.allSatisfy { $0.value != nil && $0.hi != nil })
  }

  /// What the first at risk say of a cause ends with the first event of it.
  @Test func aCauseHasNoneEither() {
    let shares = AalenJohansen(LifeTable(intervals: [(0, 1, .event(2)), (0, 2, .event(1)), (0, 3, .event(1))]))
    let times = shares.times([0.5], of: 1, .pointwise(level: 0.95))
    #expect(times[0].value == 3 && times[0].lo == nil)
  }

  /// Those of R where there are enough: reference values are `quantiles`.
  @Test func ofManyTheyAreTheQuantiles() {
    let curve = KaplanMeier(LifeTable(intervals: population(400, late: false, seed: 3)))
    #expect(
      curve.times(Self.shares, .pointwise(level: 0.95)) == curve.quantiles(Self.shares, .pointwise(level: 0.95)))
  }

  private func chance(below successes: Int, of trials: Int, _ share: Double) -> Double {
    var (sum, term) = (0.0, (0..<trials).reduce(1.0) { power, _ in power * (1 - share) })
    for count in 0..<successes {
      sum += term
      term *= Double(trials - count) / Double(count + 1) * share / (1 - share)
    }
    return sum
  }
}
