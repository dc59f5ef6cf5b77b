public import Lifecycle
public import Statistics

/// A condition that a pipeline puts to an answer: `adoption@24h.lo>=0.40`.
public struct Gate: Equatable, Sendable {
  public enum Part: String, CaseIterable, Sendable { case value, lo, hi }
  public enum Comparison: String, CaseIterable, Sendable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"

    func holds(_ found: Double, _ bound: Double) -> Bool {
      switch self {
      case .atLeast: found >= bound
      case .atMost: found <= bound
      case .above: found > bound
      case .below: found < bound
      }
    }
  }

  /// As it was written.
  public var text: String
  public var subject: String
  /// nil where the subject has no age.
  public var age: Milliseconds?
  public var part: Part
  public var comparison: Comparison
  public var bound: Double

  public init(text: String, subject: String, age: Milliseconds?, part: Part, comparison: Comparison, bound: Double) {
    (self.text, self.subject, self.age) = (text, subject, age)
    (self.part, self.comparison, self.bound) = (part, comparison, bound)
  }

  /// - Parameter estimate: what the gate speaks of; nil where the answer does not hold it.
  public func judge(_ estimate: Estimate?) -> GateOutcome {
    guard let estimate, let found = estimate[part] else { return .cannotBeJudged(estimate?.reason) }
    return comparison.holds(found, bound) ? .met : .notMet
  }
}

extension Estimate {
  fileprivate subscript(part: Gate.Part) -> Double? {
    switch part {
    case .value: value
    case .lo: lo
    case .hi: hi
    }
  }
}

/// What became of a gate.
public enum GateOutcome: Equatable, Sendable {
  case met, notMet
  /// The data do not tell, and why where that is known.
  case cannotBeJudged(Unestimable?)
}

/// What a gate may speak of.
public struct GateSubject: Equatable, Sendable {
  public var name: String
  /// Whether the figure belongs to an age: `adoption@24h`.
  public var hasAge: Bool

  public init(_ name: String, hasAge: Bool = false) { (self.name, self.hasAge) = (name, hasAge) }
}
