import Lifecycle
public import Statistics

extension Counted: Gated where Figures == Adoption {
  public static var gateWords: [GateWord] { [.init("adoption", hasAge: true), .init("difference", hasAge: true)] }

  public func estimate(_ gate: Gate) -> Estimate? {
    guard let age = figures.ages.first(where: { $0.seconds * 1000 == gate.age?.rawValue }) else { return nil }
    return gate.name == "adoption" ? age.share : age.difference
  }
}

extension Failures: Gated {
  public static let gateWords = [GateWord("rate"), GateWord("rollbackRate")]

  public func estimate(_ gate: Gate) -> Estimate? { gate.name == "rate" ? rate : rollbackRate }
}

extension Reach: Gated {
  public static let gateWords = [GateWord("reach"), GateWord("orNewer"), GateWord("eligible")]

  public func estimate(_ gate: Gate) -> Estimate? {
    switch gate.name {
    case "reach": windows.first?.exactly.share
    case "orNewer": windows.first?.orNewer.share
    default: windows.first?.eligible.exactly.share
    }
  }
}

extension Compare: Gated {
  public static let gateWords = [GateWord("difference", hasAge: true)]

  public func estimate(_ gate: Gate) -> Estimate? {
    ages.first { $0.seconds * 1000 == gate.age?.rawValue }?.difference
  }
}
