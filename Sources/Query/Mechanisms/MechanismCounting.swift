import Lifecycle
import Store

/// What one walk over the devices collects for the comparison of mechanisms.
struct MechanismCounting {
  let tables: RiskTables
  /// Cells apart by arm; devices that name none are in none of the arms.
  let arms: RiskTables
  private var legs: [Group: Legs] = [:]
  private let by: [Grouping]

  init(_ snapshot: borrowing Snapshot, _ chosen: Chosen) throws {
    var walk = RiskWalk(snapshot.vocabulary, chosen.selection, chosen.timeline, [chosen.target])
    var cells = RiskCells(Splits(chosen.selection), targets: 1)
    var armCells = RiskCells(Splits(chosen.selection).union(.arm), targets: 1)
    let hasArms = snapshot.vocabulary.profiles.values.contains { $0.arm != nil }
    let (splits, by) = (Splits(chosen.selection), chosen.selection.by)
    var legs: [Group: Legs] = [:]
    try walk.run(snapshot) { judgement in
      cells.add(judgement)
      if hasArms { armCells.add(judgement) }
      legs[judgement.group(splits).split(by: by), default: Legs()].add(judgement)
    }
    tables = cells.tables(walk)[0]
    arms = armCells.tables(walk)[0]
    self.legs = legs
    self.by = by
  }

  func legs(_ group: Group) -> Legs { legs[group] ?? Legs() }

  /// The arms of a group, in order of name, each with its tables by platform.
  func arms(_ group: Group) -> [(arm: String, cells: [(platform: String, cell: RiskTable)])] {
    let cells = arms.cells.filter { $0.key.arm != nil && $0.key.split(by: by) == group }
    return Dictionary(grouping: cells) { $0.key.arm ?? "" }.sorted { $0.key < $1.key }.map { arm, cells in
      (
        arm,
        Dictionary(grouping: cells) { $0.key.platform ?? Group.unnamed }.sorted { $0.key < $1.key }
          .map { (platform: $0.key, cell: RiskTable.merged($0.value.map(\.value))) }
      )
    }
  }
}
