public import Lifecycle
public import Statistics

/// A condition that a pipeline puts to an answer: `adoption@24h.lo>=0.40`, `decision!=stop`.
public struct Gate: Equatable, Sendable {
  public enum Part: String, CaseIterable, Sendable {
    case value, lo, hi
    /// Limits that hold at all looks together.
    case alwaysLo = "always.lo"
    case alwaysHi = "always.hi"
  }
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
  public enum Claim: Equatable, Sendable {
    case number(Part, Comparison, bound: Double)
    /// The figure is this word, or is not.
    case word(String, isNegated: Bool)
  }

  /// As it was written.
  public var text: String
  public var subject: String
  /// nil where the subject has no age.
  public var age: Milliseconds?
  public var claim: Claim

  public init(text: String, subject: String, age: Milliseconds?, claim: Claim) {
    (self.text, self.subject, self.age, self.claim) = (text, subject, age, claim)
  }

  /// Whether it speaks of limits that hold at all looks together.
  var isAlways: Bool {
    guard case .number(let part, _, _) = claim else { return false }
    return part == .alwaysLo || part == .alwaysHi
  }
}

/// What a gate is put to.
public enum GateFigure: Equatable, Sendable {
  case estimate(Estimate)
  /// - Parameter isOpen: more data may still make it another word.
  case word(String, isOpen: Bool)
}

extension Gate {
  /// - Parameter figure: what the gate speaks of; nil where the answer does not hold it.
  public func judge(_ figure: GateFigure?) -> GateOutcome {
    switch (claim, figure) {
    case (.number(let part, let comparison, let bound), .estimate(let estimate)):
      estimate.judge(part, comparison, bound)
    case (.word(let word, let isNegated), .word(let found, let isOpen)):
      (found == word) != isNegated ? .met : isOpen ? .cannotBeJudged(nil) : .notMet
    case (.number, .word), (.word, .estimate), (_, nil): .cannotBeJudged(nil)
    }
  }
}

extension Estimate {
  /// A condition on a limit does not hold only where no value between the limits meets it: data may be too few to show that 1 %
  /// is kept, and yet not show that it is not. A condition on the value looks at the value alone.
  fileprivate func judge(_ part: Gate.Part, _ comparison: Gate.Comparison, _ bound: Double) -> GateOutcome {
    switch part {
    case .value:
      guard let value else { return .cannotBeJudged(reason) }
      return comparison.holds(value, bound) ? .met : .notMet
    case .lo, .alwaysLo: return judge(lo, opposite: hi, comparison, bound)
    case .hi, .alwaysHi: return judge(hi, opposite: lo, comparison, bound)
    }
  }

  private func judge(
    _ limit: Double?, opposite: Double?, _ comparison: Gate.Comparison, _ bound: Double
  ) -> GateOutcome {
    guard let limit, let opposite else { return .cannotBeJudged(reason) }
    if comparison.holds(limit, bound) { return .met }
    return comparison.holds(opposite, bound) ? .cannotBeJudged(nil) : .notMet
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
  /// Whether it has limits that hold at all looks together.
  public var hasAlways: Bool
  /// Where the figure is a word: all of them.
  public var words: [String]

  public init(_ name: String, hasAge: Bool = false, hasAlways: Bool = false, words: [String] = []) {
    (self.name, self.hasAge, self.hasAlways, self.words) = (name, hasAge, hasAlways, words)
  }
}
