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
}
