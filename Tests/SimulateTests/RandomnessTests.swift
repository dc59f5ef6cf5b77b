import Testing

@testable import Simulate

struct RandomnessTests {
  /// Abramowitz and Stegun, Handbook of Mathematical Functions (1964), tables 4.2 and 4.4.
  static let logarithms = [
    (2.0, 0.693147180559945), (3, 1.098612288668110), (10, 2.302585092994046), (0.5, -0.693147180559945),
  ]

  @Test(arguments: logarithms) func logarithm(_ number: Double, _ logarithm: Double) {
    #expect(abs(ln(number) - logarithm) < 1e-14)
    #expect(abs(exp(logarithm) / number - 1) < 1e-13)
  }

  @Test func logarithmAndExponentialUndoEachOther() {
    for step in -600...600 {
      let power = Double(step) / 7
      #expect(abs(ln(exp(power)) - power) <= 1e-13 * max(1, abs(power)))
    }
  }

  @Test func streamsAreReproducibleAndUnrelated() {
    var (one, again, other) = (
      Randomness(seed: 1, stream: 7), Randomness(seed: 1, stream: 7), Randomness(seed: 1, stream: 8)
    )
    let drawn = (0..<100).map { _ in one.next() }
    #expect(drawn == (0..<100).map { _ in again.next() })
    #expect(Set(drawn).isDisjoint(with: (0..<100).map { _ in other.next() }))
  }

  /// Mean and variance of 200 000 draws, within five standard errors.
  @Test func momentsAreThoseOfTheDistributions() {
    var random = Randomness(seed: 3, stream: 0)
    expectMoments({ random.unit() }, mean: 0.5, variance: 1 / 12.0)
    expectMoments({ random.exponential() }, mean: 1, variance: 1)
    expectMoments({ random.normal() }, mean: 0, variance: 1)
  }

  private func expectMoments(_ draw: () -> Double, mean: Double, variance: Double) {
    let draws = (0..<200_000).map { _ in draw() }
    let found = draws.reduce(0, +) / 200_000
    #expect(abs(found - mean) < 5 * (variance / 200_000).squareRoot())
    let spread = draws.reduce(0) { $0 + ($1 - found) * ($1 - found) } / 200_000
    #expect(abs(spread / variance - 1) < 0.05)
  }
}
