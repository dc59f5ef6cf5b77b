import Glibc

/// The share that a release has at an age if it is like past ones: between the limits of a prediction of its hazard's logarithm.
///
/// That it is the least of few past releases says nothing: of four that are alike each is the least one time in four.
public struct UsualShare: Equatable, Sendable {
  /// Of those past releases.
  public let least: Double
  public let most: Double
  /// Of a release like them.
  public let lo: Double
  public let hi: Double

  /// nil for fewer than three releases that are known at that age, and that anybody had by then.
  public init?(_ past: [HazardCurve], at age: Tick, level: Double) {
    let logs = past.compactMap { $0.hazard(at: age) }.filter { $0 > 0 }.map(log)
    guard logs.count >= IncrementModel.fewestReleases, let least = logs.min(), let most = logs.max() else { return nil }
    let (count, center) = (Double(logs.count), logs.reduce(0, +) / Double(logs.count))
    let variance = logs.reduce(0) { $0 + ($1 - center) * ($1 - center) } / (count - 1)
    let margin =
      studentQuantile(upperTail: (1 - level) / 2, degreesOfFreedom: count - 1)
      * (variance * (1 + 1 / count)).squareRoot()
    let share = { (log: Double) in -expm1(-exp(log)) }
    (self.least, self.most, lo, hi) = (share(least), share(most), share(center - margin), share(center + margin))
  }
}
