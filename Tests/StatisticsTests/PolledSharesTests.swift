import Foundation
import Testing

@testable import Statistics

/// What causes brought between polls: with known truth, and where every time is known, against Aalen and Johansen.
struct PolledSharesTests {
  /// Two causes: the first brings two in five, after 10 h on average; the other the rest, after 50 h. Each device is polled at its own
  /// phase, a third is watched for five days only.
  private static func times(_ devices: Int, every step: Double, seed: UInt64) -> PolledTimes {
    var dice = SplitMix(seed: seed)
    func uniform() -> Double { Double.random(in: 0..<1, using: &dice) }
    var times = PolledTimes()
    for _ in 0..<devices {
      let cause: Cause = uniform() < 0.4 ? 1 : 2
      let wait = -(cause == 1 ? 10 : 50) * log(1 - uniform())
      let (phase, end) = (uniform() * step, uniform() < 0.3 ? 120.0 : 300)
      let polls = Array(stride(from: phase, through: end, by: step))
      let shown = polls.first { $0 >= wait }
      let before = polls.last { $0 < wait } ?? 0
      func tick(_ hours: Double) -> Tick { Tick(hours * 3600) }
      times.add(entry: 0, after: tick(before), upTo: shown.map { max(tick($0), tick(before) + 1) }, cause: cause)
    }
    return times
  }

  private static func truth(_ cause: Cause, _ hours: Double) -> Double {
    cause == 1 ? 0.4 * -expm1(-hours / 10) : 0.6 * -expm1(-hours / 50)
  }

  private static func shares(_ times: PolledTimes) -> PolledShares { PolledShares(times, PolledCurve(times)) }

  /// Limits of 95 % hold each cause's share in 93 to 97 of 100 fleets; 300 fleets each in `UPTAKE_SOAK`.
  @Test(arguments: [2.0, 8, 24]) func limitsHoldTheShare(_ step: Double) {
    let fleets = getenv("UPTAKE_SOAK") == nil ? 40 : 300
    // Bands are drawn anew for each: a few will do here.
    let banded = min(fleets, getenv("UPTAKE_SOAK") == nil ? 4 : fleets)
    var (held, bands, count, off) = (0, 0, 0, 0.0)
    for seed in 0..<fleets {
      let shares = Self.shares(Self.times(400, every: step, seed: UInt64(7919 * seed) + UInt64(step)))
      for cause: Cause in [1, 2] {
        let all = seed < banded ? shares.simultaneousLimits(of: cause, level: 0.95) : .pointwise(level: 0.95)
        var isHeld = true
        for hours in [24.0, 48, 96] {
          let share = shares.share(of: cause, at: Tick(hours * 3600), .pointwise(level: 0.95))
          let band = shares.share(of: cause, at: Tick(hours * 3600), all)
          let truth = Self.truth(cause, hours)
          count += 1
          held += share.lo ?? 0 <= truth && truth <= share.hi ?? 1 ? 1 : 0
          isHeld = isHeld && band.lo ?? 0 <= truth && truth <= band.hi ?? 1
          off += (share.value ?? 0) - truth
        }
        bands += isHeld && seed < banded ? 1 : 0
      }
    }
    let error = (0.95 * 0.05 / Double(fleets * 2)).squareRoot()
    let (share, whole) = (Double(held) / Double(count), Double(bands) / Double(banded * 2))
    if fleets > 40 { print("every \(step) h: \(share), bands \(whole), off \(off / Double(count))") }
    #expect(abs(share - 0.95) <= 0.02 + 3 * error, "every \(step) h: \(held) of \(count)")
    #expect(
      whole >= 0.93 - 3 * error * Double(fleets / banded).squareRoot(),
      "every \(step) h: bands \(bands) of \(2 * banded)")
    #expect(abs(off / Double(count)) < 0.01, "every \(step) h")
  }

  /// All causes together are the curve, at every age.
  @Test func sharesAddUpToTheCurve() {
    let shares = Self.shares(Self.times(500, every: 12, seed: 5))
    for tick in stride(from: Tick(0), through: shares.curve.lastTick, by: 7200) {
      let parts = [1, 2].map { shares.share(of: $0, at: tick, .pointwise(level: 0.95)).value ?? 0 }
      expectNear(parts[0] + parts[1], shares.curve.share(at: tick, level: 0.95).value, floor: 1e-9, "\(tick)")
    }
  }

  /// With one cause it is the curve, with its limits.
  @Test func oneCauseIsTheCurve() {
    var times = PolledTimes()
    for hour: Tick in 1...300 { times.add(entry: 0, after: hour * 500, upTo: hour * 500 + 20_000, cause: 3) }
    times.add(entry: 0, after: 200_000, upTo: nil, times: 100)
    let shares = Self.shares(times)
    for tick: Tick in [20_000, 60_000, 140_000] {
      let (one, all) = (
        shares.share(of: 3, at: tick, .pointwise(level: 0.95)), shares.curve.share(at: tick, level: 0.95)
      )
      expectNear(one.value, all.value, floor: 1e-12, "\(tick)")
      expectNear(one.lo, all.lo, relative: 1e-6, "\(tick)")
      expectNear(one.hi, all.hi, relative: 1e-6, "\(tick)")
    }
    #expect(shares.share(of: 1, at: 60_000, .pointwise(level: 0.95)).value == 0)
    #expect(shares.time(0.25, of: 3, .pointwise(level: 0.95)).value == shares.curve.time(0.25, level: 0.95).value)
  }

  /// Where polls are a second apart it comes to what Aalen and Johansen say, but for the steps of the hazard.
  @Test func knownTimesGiveAalenAndJohansen() throws {
    let times = Self.times(2000, every: 1.0 / 60, seed: 9)
    let shares = Self.shares(times)
    for (cause, hours) in [(1, 24.0), (1, 96), (2, 24), (2, 96)] as [(Cause, Double)] {
      let share = try #require(shares.share(of: cause, at: Tick(hours * 3600), .pointwise(level: 0.95)).value)
      #expect(abs(share - Self.truth(cause, hours)) < 0.03, "\(cause) at \(hours)")
    }
  }

  /// A difference of two is that of their shares, and turns with them.
  @Test func differencesTurnWithTheirCauses() throws {
    let shares = Self.shares(Self.times(500, every: 12, seed: 5))
    let (forth, back) = (
      shares.difference(1, 2, at: 86_400, level: 0.95), shares.difference(2, 1, at: 86_400, level: 0.95)
    )
    let parts = [1, 2].map { shares.share(of: $0, at: 86_400, .pointwise(level: 0.95)).value ?? 0 }
    expectNear(forth.value, parts[0] - parts[1], floor: 1e-12, "difference")
    expectNear(forth.value, -(try #require(back.value)), floor: 1e-12, "turned")
    expectNear(forth.lo, -(try #require(back.hi)), floor: 1e-12, "limits turned")
  }
}
