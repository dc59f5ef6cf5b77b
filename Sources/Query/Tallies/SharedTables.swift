public import Store

/// The time at risk for one release, walked once for all questions that only split it or look at a part of it.
public struct SharedTables: Sendable {
  private let rules: Selection
  private let target: Int64
  private let whole: RiskTables

  /// - Parameter chosen: what it looks at and splits by does not matter, its rules do.
  public init(_ snapshot: borrowing Snapshot, _ chosen: Chosen) throws {
    rules = chosen.selection.rulesOnly
    target = chosen.target.id
    whole = try RiskTables.each(
      snapshot, rules, timeline: chosen.timeline, targets: [chosen.target], splits: .appVersion)[0]
  }

  /// The part that a selection looks at; nil where it asks for other releases or by other rules.
  func tables(_ selection: Selection, _ targets: [ReleaseRecord]) -> [RiskTables]? {
    guard targets.count == 1, targets[0].id == target, selection.rulesOnly == rules else { return nil }
    return [whole.part(selection)]
  }
}

extension Chosen {
  /// The tables of each target: those at hand, or from a walk over the devices.
  func tables(_ snapshot: borrowing Snapshot, _ targets: [ReleaseRecord]) throws -> [RiskTables] {
    try shared?.tables(selection, targets)
      ?? RiskTables.each(snapshot, selection, timeline: timeline, targets: targets)
  }
}

extension Selection {
  /// Without what it looks at, splits by and shows.
  var rulesOnly: Selection {
    var copy = self
    (copy.channels, copy.platforms, copy.by, copy.level, copy.minCell) = ([], [], [], 0.95, 0)
    return copy
  }
}
