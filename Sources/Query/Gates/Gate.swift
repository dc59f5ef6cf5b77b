public import Lifecycle

/// A condition that a pipeline puts to an answer: `adoption@24h.lo>=0.40`, `rate.hi<=2%`.
///
/// `name[@age][.part]` then `>=`, `<=`, `>` or `<` and a number, perhaps with `%` or `pp`. The part is `value`, `lo` or
/// `hi` of the estimate; without one it is `value`. Spaces do not count.
public struct Gate: Equatable, Sendable {
  public enum Part: String, CaseIterable, Sendable { case value, lo, hi }
  public enum Comparison: String, CaseIterable, Sendable {
    case atLeast = ">="
    case atMost = "<="
    case more = ">"
    case less = "<"

    func holds(_ found: Double, _ bound: Double) -> Bool {
      switch self {
      case .atLeast: found >= bound
      case .atMost: found <= bound
      case .more: found > bound
      case .less: found < bound
      }
    }
  }

  /// As it was written.
  public var text: String
  public var name: String
  public var age: Milliseconds?
  public var part: Part
  public var comparison: Comparison
  public var bound: Double
}

/// What a gate may speak of.
public struct GateWord: Equatable, Sendable {
  public var name: String
  /// Whether the figure belongs to an age: `adoption@24h`.
  public var hasAge: Bool

  public init(_ name: String, hasAge: Bool = false) {
    self.name = name
    self.hasAge = hasAge
  }

  var spelling: String { hasAge ? name + "@AGE" : name }
}

/// Why a text is no gate of a question.
public struct GateProblem: Error, Equatable, Sendable {
  public var message: String
  public var hint: String
}
