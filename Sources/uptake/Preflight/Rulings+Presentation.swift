internal import Console
internal import Preflight

extension Invocation {
  /// A line a ruling, the worst first; ends with `gateNotMet` where one fails.
  func show(_ rulings: [Ruling], schema: String) throws -> ExitCode {
    let ordered = Ruling.Verdict.allCases.reversed().flatMap { verdict in rulings.filter { $0.verdict == verdict } }
    let fails = rulings.count { $0.verdict == .fail }
    try show(
      Presentation(
        table: Table(rulingColumns, rows: ordered.map(\.cells)),
        document: ["schema": .string(schema), "data": .array(ordered.map(\.json))],
        notes: ordered.filter { $0.verdict != .pass }.map { "\($0.rule): \($0.why)" }.unique + [summary(rulings)]))
    return fails > 0 ? .gateNotMet : .done
  }

  private func summary(_ rulings: [Ruling]) -> String {
    let counts = Ruling.Verdict.allCases.reversed().compactMap { verdict in
      let count = rulings.count { $0.verdict == verdict }
      return count == 0 ? nil : "\(count) \(verdict.rawValue)"
    }
    return counts.joined(separator: ", ")
  }
}

private let rulingColumns: [Table.Column] = [
  .init("RULE", key: "rule", least: 24), .init("", key: "verdict"),
  .init("WHERE", key: "place", isOptional: true).wrapping, .init("FOUND", key: "found", isOptional: true).wrapping,
  .init("DO", key: "fix", least: 20).wrapping,
]

extension Ruling {
  fileprivate var cells: [Cell] {
    [.text(rule), .text(verdict.rawValue), .text(place), .text(found), .text(fix ?? "")]
  }

  fileprivate var json: JSON {
    [
      "rule": .string(rule), "verdict": .string(verdict.rawValue), "place": .string(place), "found": .string(found),
      "why": .string(why), "fix": fix.map(JSON.string) ?? .null,
    ]
  }
}

extension [String] {
  /// Each once, where it stands first.
  fileprivate var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
