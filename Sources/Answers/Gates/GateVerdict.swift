internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

/// Whether a pipeline may go on, and why, in one sentence.
struct GateVerdict: Equatable, Sendable {
  var exit: ExitCode
  var sentence: String
  private let condition: String

  init(_ outcome: GateOutcome, _ condition: String) {
    self.condition = condition
    (exit, sentence) =
      switch outcome {
      case .met: (.done, "gate met" + condition)
      case .notMet: (.gateNotMet, "gate NOT met" + condition)
      case .cannotBeJudged: (.notEnoughData, "gate cannot be judged" + condition)
      }
  }

  /// - Parameter group: the words for the row's group; nothing where the answer is not split.
  init(_ gate: Gate, _ found: GateFigure?, of group: String) {
    let place = " (\(gate.text))" + (group.isEmpty ? "" : " for \(group)")
    let outcome = gate.judge(found)
    let isKnown = "\(gate.figure) is \(found?.words ?? "not known")"
    let why =
      switch (outcome, found) {
      case (.cannotBeJudged(let reason?), _): reason.words
      case (.cannotBeJudged(nil), nil): "there is no such number"
      case (.cannotBeJudged(nil), _?): isKnown + ", which leaves it open"
      case (.met, _), (.notMet, _): isKnown
      }
    self.init(outcome, "\(place): \(why)")
  }
}

extension Gate {
  /// `adoption at 24h`.
  fileprivate var figure: String { subject + (age.map { " at \(Console.age(seconds: $0.rawValue / 1000))" } ?? "") }
}

extension GateVerdict {
  /// Of a group that has too few devices to be shown.
  ///
  /// - Parameter condition: with the group.
  init(withheld condition: String) {
    let outcome = GateOutcome.cannotBeJudged(.fewerThanMinCell)
    self.init(outcome, "\(condition): \(Unestimable.fewerThanMinCell.words)")
  }

  fileprivate init(withheld gate: Gate, of group: String) {
    self.init(withheld: " (\(gate.text))" + (group.isEmpty ? "" : " for \(group)"))
  }
}

extension Answer {
  /// Who updated since nothing came in counts as waiting: what does not hold may hold all the same.
  func minding(silence verdicts: [GateVerdict]) -> [GateVerdict] {
    warnings.contains { $0.code == Warning.silentFleet } ? verdicts.map(\.openWhileSilent) : verdicts
  }
}

extension GateVerdict {
  fileprivate var openWhileSilent: GateVerdict {
    guard exit == .gateNotMet else { return self }
    return GateVerdict(
      .cannotBeJudged(nil), condition + "; no device was heard of lately, and who updated since counts as waiting")
  }
}

extension Answer where Row: Gated {
  /// Every gate put to every group, also to those that are withheld; an answer without any leaves all of them open.
  func verdicts(
    _ gates: [Gate], _ group: (Row) -> String, withheld name: (Withheld) -> String
  ) -> [GateVerdict] {
    let judged: [GateVerdict] = gates.flatMap { gate in
      if data.isEmpty, withheld.isEmpty { return [GateVerdict(gate, nil, of: "")] }
      return data.map { GateVerdict(gate, $0.figure(gate), of: group($0)) }
        + withheld.map { GateVerdict(withheld: gate, of: name($0)) }
    }
    return Row.countsWaiting ? minding(silence: judged) : judged
  }
}

extension [GateVerdict] {
  /// Not met outweighs not known, which outweighs met.
  func exit(otherwise own: ExitCode) -> ExitCode {
    if contains(where: { $0.exit == .gateNotMet }) { return .gateNotMet }
    return contains { $0.exit == .notEnoughData } ? .notEnoughData : own
  }
}

extension Estimate {
  /// `45.9% (44.9–46.9)`; for shares.
  var words: String {
    guard let value else { return "not known" }
    guard let lo, let hi else { return share(value) }
    return "\(share(value)) (\(decimal(lo * 100, 1))–\(decimal(hi * 100, 1)))"
  }
}

extension GateFigure {
  fileprivate var words: String {
    switch self {
    case .estimate(let estimate): estimate.words
    case .word(let word, _): word
    }
  }
}
