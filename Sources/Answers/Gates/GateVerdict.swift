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
  /// Who updated since nothing came in counts as waiting: a figure that is too low for a condition may be high enough, and one that is low
  /// enough may be too high.
  ///
  /// - Parameter isHeldDown: whether more updates would make the condition hold.
  func minding(silence verdict: GateVerdict, isHeldDown: Bool) -> GateVerdict {
    warnings.contains { $0.code == Warning.silentFleet }
      ? verdict.open(ifIt: isHeldDown ? .gateNotMet : .done) : verdict
  }
}

extension Answer {
  /// What holds by what devices said may not hold by what they did since.
  fileprivate func dated(_ verdict: GateVerdict) -> GateVerdict {
    guard verdict.exit == .done, warnings.contains(where: { $0.code == Warning.silentFleet }) else { return verdict }
    var copy = verdict
    copy.sentence += "; no device was heard of lately, and what happened since is not known"
    return copy
  }
}

extension Gate {
  /// Whether more updates would make it hold.
  fileprivate var isHeldDown: Bool {
    guard case .number(_, let comparison, _) = claim else { return false }
    return (comparison == .atLeast || comparison == .above) == (subject != Mechanisms.waiting)
  }
}

extension GateVerdict {
  fileprivate func open(ifIt ends: ExitCode) -> GateVerdict {
    guard exit == ends else { return self }
    return GateVerdict(
      .cannotBeJudged(nil), condition + "; no device was heard of lately, and who updated since counts as waiting")
  }
}

extension Answer where Row: Gated {
  /// Every gate put to every group, also to those that are withheld; an answer without any leaves all of them open.
  func verdicts(
    _ gates: [Gate], _ group: (Row) -> String, withheld name: (Withheld) -> String
  ) -> [GateVerdict] {
    gates.flatMap { gate in
      if data.isEmpty, withheld.isEmpty { return [GateVerdict(gate, nil, of: "")] }
      return data.map { row in
        let verdict = GateVerdict(gate, row.figure(gate), of: group(row))
        guard Row.countsWaiting else { return dated(verdict) }
        let minded = minding(silence: verdict, isHeldDown: gate.isHeldDown)
        return gate.isHeldDown ? minded.adding(stillness(row)) : minded
      } + withheld.map { GateVerdict(withheld: gate, of: name($0)) }
    }
  }
}

extension Answer where Row: Gated {
  /// Why more time would not make a condition hold, or why it does not yet; nil where the rollout never stood at 0 %.
  fileprivate func stillness(_ row: Row) -> String? {
    if row.isHalted { return "the rollout stands at 0%: no other device gets it, and time alone changes nothing" }
    return warnings.contains { $0.code == Warning.rolloutPaused }
      ? "the rollout stood at 0% for a time, and who waited through that counts as waiting" : nil
  }
}

extension GateVerdict {
  /// Behind what does not hold, or cannot be judged.
  fileprivate func adding(_ why: String?) -> GateVerdict {
    guard let why, exit != .done else { return self }
    var copy = self
    copy.sentence += "; " + why
    return copy
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
