import Lifecycle
public import Statistics

/// Rows that gates can be put to. Subjects have the names that the same figures have in tables.
public protocol Gated {
  static var gateSubjects: [GateSubject] { get }
  /// The estimate that a gate speaks of; nil where the row has none, or none of that age.
  func estimate(_ gate: Gate) -> Estimate?
}

extension Counted: Gated where Figures: GatedFigures {
  public static var gateSubjects: [GateSubject] { Figures.gateSubjects }
  public func estimate(_ gate: Gate) -> Estimate? { figures.estimate(gate) }
}

/// The same, for figures that stand beside the counts they rest on.
public protocol GatedFigures: Gated {}

extension Adoption: GatedFigures {
  public static let gateSubjects = [GateSubject("adoption", hasAge: true), GateSubject("difference", hasAge: true)]

  public func estimate(_ gate: Gate) -> Estimate? {
    guard let age = ages.first(where: { gate.isAbout($0.seconds) }) else { return nil }
    return gate.subject == "difference" ? age.difference : age.share
  }
}

extension Failures: Gated {
  public static let gateSubjects = [GateSubject("rate"), GateSubject("rollbackRate")]

  public func estimate(_ gate: Gate) -> Estimate? { gate.subject == "rate" ? rate : rollbackRate }
}

extension Reach: Gated {
  public static let gateSubjects = [GateSubject("reach"), GateSubject("orNewer"), GateSubject("reachOfEligible")]

  /// Of the reach window that was asked for.
  public func estimate(_ gate: Gate) -> Estimate? {
    switch gate.subject {
    case "reach": windows.first?.exactly.share
    case "orNewer": windows.first?.orNewer.share
    default: windows.first?.eligible.exactly.share
    }
  }
}

extension Mechanisms: GatedFigures {
  private static let waiting = "waiting"
  /// Each mechanism, a newer release where one competes, and those that still wait: together all devices.
  public static let gateSubjects = (Trigger.allCases.map(\.rawValue) + [Cause.newerRelease.word, waiting]).map {
    GateSubject($0, hasAge: true)
  }

  public func estimate(_ gate: Gate) -> Estimate? {
    guard let age = ages.first(where: { gate.isAbout($0.seconds) }) else { return nil }
    return gate.subject == Self.waiting ? age.waiting : age.shares.first { $0.mechanism == gate.subject }?.share
  }
}

extension Push: Gated {
  private static let rates: KeyValuePairs<String, @Sendable (Push) -> Rate> = [
    "delivered": { $0.delivered }, "lost": { $0.lost }, "coalesced": { $0.coalesced }, "unreached": { $0.unreached },
    "credited": { $0.credited },
  ]
  public static let gateSubjects = rates.map { GateSubject($0.key) }

  public func estimate(_ gate: Gate) -> Estimate? {
    Self.rates.first { $0.key == gate.subject }?.value(self).share
  }
}

extension Gate {
  fileprivate func isAbout(_ seconds: Int64) -> Bool { age == .seconds(seconds) }
}
