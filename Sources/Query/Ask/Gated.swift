import Lifecycle
public import Statistics

/// Rows that gates can be put to. Subjects have the names that the same figures have in tables.
public protocol Gated {
  static var gateSubjects: [GateSubject] { get }
  /// Whether who is not heard of counts as waiting.
  static var countsWaiting: Bool { get }
  /// Whether its rollout stands at 0 %: then no time makes it more.
  var isHalted: Bool { get }
  /// The estimate that a gate speaks of; nil where the row has none, or none of that age.
  func estimate(_ gate: Gate) -> Estimate?
  /// The same, or the word that it speaks of.
  func figure(_ gate: Gate) -> GateFigure?
}

extension Gated {
  public static var countsWaiting: Bool { true }
  public var isHalted: Bool { false }
  public func figure(_ gate: Gate) -> GateFigure? { estimate(gate).map(GateFigure.estimate) }
}

extension Counted: Gated where Figures: GatedFigures {
  public static var gateSubjects: [GateSubject] { Figures.gateSubjects }
  /// Where nobody waits on, on a platform or channel where it goes on.
  public var isHalted: Bool {
    let censored = { counts.censoredBy[$0.rawValue] ?? 0 } as (Censoring) -> Int
    return censored(.halted) > 0 && censored(.cutOff) == 0
  }
  public func estimate(_ gate: Gate) -> Estimate? { figures.estimate(gate) }
}

/// The same, for figures that stand beside the counts they rest on.
public protocol GatedFigures: Gated {}

extension Adoption: GatedFigures {
  public static let gateSubjects = [
    GateSubject("adoption", hasAge: true, hasAlways: true), GateSubject("difference", hasAge: true),
  ]

  public func estimate(_ gate: Gate) -> Estimate? {
    guard let age = ages.first(where: { gate.isAbout($0.seconds) }) else { return nil }
    if gate.subject == "difference" { return age.difference }
    return gate.isAlways ? age.always : age.limitedShare
  }
}

extension Failures: Gated {
  public static let countsWaiting = false
  private static let decision = "decision"
  public static let gateSubjects = [
    GateSubject("rate", hasAlways: true), GateSubject("rollbackRate", hasAlways: true),
    GateSubject(decision, words: MixtureTest.Decision.allCases.map(\.rawValue)),
  ]

  public func estimate(_ gate: Gate) -> Estimate? {
    switch (gate.subject == "rate", gate.isAlways) {
    case (true, false): rate
    case (true, true): stopRule.sequence
    case (false, false): rollbackRate
    case (false, true): Proportion(Int64(rolledBack), of: Int64(applies)).confidenceSequence(level: rollbackRate.level)
    }
  }

  /// Of the stop rule, which may be looked at as often as one likes; nil where nobody set a limit.
  public func figure(_ gate: Gate) -> GateFigure? {
    guard gate.subject == Self.decision else { return estimate(gate).map(GateFigure.estimate) }
    return stopRule.decision.map { .word($0.rawValue, isOpen: $0 == .goOn) }
  }
}

extension Reach: Gated {
  public static let gateSubjects = [GateSubject("reach"), GateSubject("orNewer"), GateSubject("reachOfEligible")]

  public var isHalted: Bool { series.last?.rolloutPercent == 0 }

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
  public static let waiting = "waiting"
  /// Each mechanism, a newer release where one competes, and those that still wait: together all devices.
  public static let gateSubjects = (Trigger.allCases.map(\.rawValue) + [Cause.newerRelease.word, waiting]).map {
    GateSubject($0, hasAge: true)
  }

  public func estimate(_ gate: Gate) -> Estimate? {
    guard let age = ages.first(where: { gate.isAbout($0.seconds) }) else { return nil }
    if gate.subject == Self.waiting { return age.limitedWaiting }
    return age.shares.first { $0.mechanism == gate.subject }.map {
      $0.share.limited(atLeast: $0.atLeast, atMost: $0.atMost)
    }
  }
}

extension Push: Gated {
  public static let countsWaiting = false
  private static let rates: KeyValuePairs<String, @Sendable (Push) -> Rate> = [
    "delivered": { $0.delivered }, "lost": { $0.lost }, "coalesced": { $0.coalesced }, "unreached": { $0.unreached },
    "credited": { $0.credited },
  ]
  public static let gateSubjects = rates.map { GateSubject($0.key) }

  public func estimate(_ gate: Gate) -> Estimate? {
    Self.rates.first { $0.key == gate.subject }?.value(self).share
  }
}

extension Adoption.Age {
  var limitedShare: Estimate { share.limited(atLeast: atLeast, atMost: atMost) }
}

extension Mechanisms.Age {
  fileprivate var limitedWaiting: Estimate {
    waiting.limited(atLeast: shares.first?.atMost.map { 1 - $0 }, atMost: waitingAtMost)
  }
}

extension Estimate {
  /// With the exact limits of none and of all, where the share is one of them and has none of its own.
  fileprivate func limited(atLeast: Double?, atMost: Double?) -> Estimate {
    guard let value, lo == nil, hi == nil else { return self }
    if value == 0, let atMost { return Estimate(0, lo: 0, hi: atMost, level: level, method: .clopperPearson) }
    if value == 1, let atLeast { return Estimate(1, lo: atLeast, hi: 1, level: level, method: .clopperPearson) }
    return self
  }
}

extension Gate {
  fileprivate func isAbout(_ seconds: Int64) -> Bool { age == .seconds(seconds) }
}
