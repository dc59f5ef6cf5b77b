public import Statistics

/// Rows that gates can be put to.
public protocol Gated: Encodable, Sendable {
  static var gateWords: [GateWord] { get }
  var group: Group { get }
  /// The estimate that a gate speaks of; nil where the row has none of that age.
  func estimate(_ gate: Gate) -> Estimate?
}

/// What became of gates, row by row.
public struct GateReport: Encodable, Equatable, Sendable {
  public enum Outcome: String, Encodable, CaseIterable, Sendable {
    case met, notMet
    /// The data do not tell; `reason` says why.
    case cannotBeSaid
  }
  public struct Finding: Encodable, Equatable, Sendable {
    public var gate: String
    public var group: Group
    public var outcome: Outcome
    /// What was compared with the bound.
    @Nullable public var found: Double?
    @Nullable public var reason: String?
  }
  public var findings: [Finding]

  /// Not met where any is not; met only where all are, in every group, and there is one.
  public var outcome: Outcome {
    if findings.contains(where: { $0.outcome == .notMet }) { return .notMet }
    return findings.isEmpty || findings.contains { $0.outcome == .cannotBeSaid } ? .cannotBeSaid : .met
  }
}

extension Answer where Row: Gated {
  /// Every gate put to every row; groups that are withheld cannot be judged.
  public func check(_ gates: [Gate]) -> GateReport {
    GateReport(
      findings: gates.flatMap { gate in
        data.map { GateReport.Finding(gate, $0.group, $0.estimate(gate)) }
          + withheld.map { .init(gate.text, $0.group, .cannotBeSaid, reason: "fewerThanMinCell") }
      })
  }
}

extension GateReport.Finding {
  init(
    _ gate: String, _ group: Group, _ outcome: GateReport.Outcome, found: Double? = nil, reason: String? = nil
  ) {
    self.init(gate: gate, group: group, outcome: outcome, found: found, reason: reason)
  }

  init(_ gate: Gate, _ group: Group, _ estimate: Estimate?) {
    guard let estimate else {
      self.init(gate.text, group, .cannotBeSaid, reason: "notInAnswer")
      return
    }
    let part: KeyPath<Estimate, Double?> =
      switch gate.part {
      case .value: \.value
      case .lo: \.lo
      case .hi: \.hi
      }
    guard let found = estimate[keyPath: part] else {
      self.init(gate.text, group, .cannotBeSaid, reason: estimate.reason?.rawValue ?? "notEstimable")
      return
    }
    self.init(gate.text, group, gate.comparison.holds(found, gate.bound) ? .met : .notMet, found: found)
  }
}
