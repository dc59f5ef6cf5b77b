import Lifecycle
import Store

/// What one walk over the devices collects for the comparison of mechanisms.
struct MechanismCounting {
  let tables: RiskTables
  /// Cells apart by arm; devices that name none are in none of the arms.
  let arms: RiskTables
  private let legs: [Group: Legs]
  private let by: [Grouping]

  init(_ snapshot: borrowing Snapshot, _ chosen: Chosen) throws {
    let (splits, by) = (Splits(chosen.selection), chosen.selection.by)
    let hasArms = snapshot.vocabulary.profiles.values.contains { $0.arm != nil }
    var walk = RiskWalk(snapshot.vocabulary, chosen.selection, chosen.timeline, [chosen.target])
    let found = try walk.run(snapshot, start: { Collected(splits) }) { collected, judgement in
      collected.cells.add(judgement)
      if hasArms { collected.armCells.add(judgement) }
      collected.legs[judgement.group(splits).split(by: by), default: Legs()].add(judgement)
    }
    var sum = Collected(splits)
    for part in found { sum.add(part) }
    tables = sum.cells.tables(walk)[0]
    arms = sum.armCells.tables(walk)[0]
    legs = sum.legs
    self.by = by
  }

  /// What one core collects.
  private struct Collected {
    var cells: RiskCells
    var armCells: RiskCells
    var legs: [Group: Legs] = [:]

    init(_ splits: Splits) {
      cells = RiskCells(splits, targets: 1)
      armCells = RiskCells(splits.union(.arm), targets: 1)
    }

    mutating func add(_ other: Collected) {
      cells.add(other.cells)
      armCells.add(other.armCells)
      for (group, legs) in other.legs { self.legs[group, default: Legs()].add(legs) }
    }
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
