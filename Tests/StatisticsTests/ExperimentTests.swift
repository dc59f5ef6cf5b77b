import Foundation
import Testing

@testable import Statistics

struct ExperimentTests {
  /// R, documentation of `power.prop.test`: p1 = .50, p2 = .75, power = .90 gives n = 76.7 in each group. The others by
  /// the same formula, worked out with Python's `statistics.NormalDist`.
  @Test(arguments: [
    (0.5, 0.75, 0.9, 0.05, 0.5, 77, 77), (0.5, 0.52, 0.9, 0.05, 0.5, 13_127, 13_127),
    (0.6, 0.62, 0.8, 0.05, 0.5, 9336, 9336), (0.6, 0.62, 0.8, 0.05, 0.1, 5170, 46_529),
  ]) func sizes(
    _ first: Double, _ second: Double, _ power: Double, _ alpha: Double, _ share: Double, _ smaller: Int, _ larger: Int
  ) throws {
    let size = try #require(SampleSize(from: first, to: second, power: power, alpha: alpha, share: share))
    #expect(abs(size.smaller - smaller) <= 1 && abs(size.larger - larger) <= 1, "\(size)")
  }

  @Test(arguments: [(0.5, 0.5, 0.9), (0.5, 1.2, 0.9), (0.5, 0.6, 1), (-0.1, 0.6, 0.9)])
  func refuses(_ first: Double, _ second: Double, _ power: Double) {
    #expect(SampleSize(from: first, to: second, power: power, alpha: 0.05) == nil)
  }

  /// Binomial arms of the planned size: at its last look, nine of ten experiments see the effect with limits for all looks together;
  /// and it takes several times the devices that one look does.
  @Test(arguments: [(0.4, 0.2, 0.5), (0.4, 0.2, 0.2), (0.1, 0.1, 0.5)]) func manyLooksSeeThePlannedEffect(
    _ base: Double, _ effect: Double, _ share: Double
  ) throws {
    let plan = try #require(
      SampleSize(from: base, to: base + effect, power: 0.9, alpha: 0.05, share: share, atAllLooks: true))
    let once = try #require(SampleSize(from: base, to: base + effect, power: 0.9, alpha: 0.05, share: share))
    #expect((2.5...4.5).contains(Double(plan.total) / Double(once.total)), "\(plan) \(once)")
    var random = SplitMix(seed: 12)
    func limits(_ devices: Int, _ rate: Double) -> MixtureLimits {
      let updated = (0..<devices).count { _ in Double.random(in: 0..<1, using: &random) < rate }
      return MixtureLimits(successes: Double(updated), rest: Double(devices - updated), level: 0.95)
    }
    let experiments = 200
    let seen = (0..<experiments).count { _ in
      let (own, other) = (limits(plan.smaller, base + effect), limits(plan.larger, base))
      return MixturePair(first: own, second: other, level: 0.95).lower > 0
    }
    // Three standard errors of 200 experiments are 6 points.
    #expect((0.84...0.97).contains(Double(seen) / Double(experiments)), "\(seen) of \(experiments)")
  }

  /// Law: a smaller effect, more power and a smaller arm each need more devices.
  @Test func isMonotone() throws {
    func total(_ effect: Double, _ power: Double, _ share: Double) -> Int {
      SampleSize(from: 0.6, to: 0.6 + effect, power: power, alpha: 0.05, share: share)?.total ?? 0
    }
    #expect(total(0.01, 0.8, 0.5) > total(0.02, 0.8, 0.5))
    #expect(total(0.02, 0.9, 0.5) > total(0.02, 0.8, 0.5))
    #expect(total(0.02, 0.8, 0.1) > total(0.02, 0.8, 0.5))
  }

  /// By hand: 821 and 779 against halves: (21² + 21²)/800 = 1.1025, p = 0.2937 (chi-square, 1 df); 900 and 700: 25, 5.7e-7.
  @Test func ratioAgainstAPlan() throws {
    #expect(abs(try #require(SampleRatio([821, 779], shares: [0.5, 0.5])).p.value - 0.29372) < 1e-4)
    let off = try #require(SampleRatio([900, 700], shares: [50, 50]))
    #expect(off.isOff && abs(off.p.value - 5.733e-7) < 1e-9)
    #expect(try #require(SampleRatio([50, 950], shares: [5, 95])).isOff == false)
    #expect(SampleRatio([1, 3], shares: [5, 95]) == nil)
  }

  /// By hand: ((60, 40), (40, 60)): each cell 10²/50, together 8, 1 df: p = 0.00468.
  @Test func ratioBetweenKinds() throws {
    let ratio = try #require(SampleRatio([[60, 40], [40, 60]]))
    #expect(abs(ratio.p.value - 0.0046777) < 1e-6 && !ratio.isOff)
    #expect(try #require(SampleRatio([[600, 400], [400, 600]])).isOff)
    #expect(SampleRatio([[60], [40]]) == nil && SampleRatio([[6, 1], [3, 1]]) == nil)
  }

  /// Kinds and arms too small to be tested do not silence the test of the others: ((600, 400), (400, 600)) as above, with both arms
  /// having two or three of a third kind, and with an arm of five.
  @Test func fewDevicesSilenceNoTest() throws {
    let plain = try #require(SampleRatio([[60, 40], [40, 60]])).p.value
    for table in [[[60, 40, 2], [40, 60, 1]], [[60, 0, 40], [40, 1, 60]], [[60, 40], [40, 60], [5, 0]]] {
      #expect(try #require(SampleRatio(table)).p.value == plain, "\(table)")
    }
    // Six kinds of three each are 18 devices: five are expected in each arm.
    let many = Array(repeating: 3, count: 3)
    let ratio = try #require(SampleRatio([[60, 40] + many + [0, 0, 0], [40, 60] + [0, 0, 0] + many]))
    #expect(ratio.p.value == SampleRatio([[60, 40, 9], [40, 60, 9]])?.p.value)
  }

  /// 0.95^134 is above one in a thousand, 0.95^135 below.
  @Test func missesArms() {
    #expect(!SampleRatio.isMissing(share: 0.05, of: 134) && SampleRatio.isMissing(share: 0.05, of: 135))
    #expect(SampleRatio.isMissing(share: 1, of: 1) && !SampleRatio.isMissing(share: 1, of: 0))
    #expect(!SampleRatio.isMissing(share: 0, of: 1000))
  }
}
