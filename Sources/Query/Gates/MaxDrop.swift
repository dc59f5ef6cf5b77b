public import Lifecycle
import Statistics

/// The gate of `compare --at 24h --max-drop 2pp`: the first release must not be further behind than so much.
///
/// Met where the whole interval lies above the permitted drop, not met where it lies below; an interval that holds the
/// permitted drop cannot say.
public struct MaxDrop: Equatable, Sendable {
  public var age: Milliseconds
  /// As a positive share.
  public var drop: Double

  public init(age: Milliseconds, drop: Double) {
    self.age = age
    self.drop = abs(drop)
  }

  public init(age: Milliseconds, _ text: String) throws(GateProblem) {
    self.init(age: age, drop: try Gate.share(text))
  }

  public func check(_ answer: Answer<Compare>) -> GateReport {
    GateReport(
      findings: answer.data.map(finding)
        + answer.withheld.map { .init(name, $0.group, .cannotBeSaid, reason: "fewerThanMinCell") })
  }

  private var name: String { "max-drop" }

  private func finding(_ row: Compare) -> GateReport.Finding {
    guard let age = row.ages.first(where: { $0.seconds * 1000 == age.rawValue }) else {
      return .init(name, row.group, .cannotBeSaid, reason: "notInAnswer")
    }
    let difference = age.difference
    guard let lo = difference.lo, let hi = difference.hi else {
      return .init(
        name, row.group, .cannotBeSaid, found: difference.value, reason: difference.reason?.rawValue ?? "notEstimable")
    }
    if lo >= -drop { return .init(name, row.group, .met, found: difference.value) }
    return hi < -drop
      ? .init(name, row.group, .notMet, found: difference.value)
      : .init(name, row.group, .cannotBeSaid, found: difference.value, reason: "intervalHoldsTheBound")
  }
}
