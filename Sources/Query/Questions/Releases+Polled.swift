import Lifecycle
import Statistics
import Store

/// Of the releases of an app, those of which nobody saw when many devices updated: they are counted once more, contact by contact.
struct PolledReleases {
  let counting: RiskCounting
  private let level: Double

  /// nil where there are none.
  init?(_ risk: RiskCounting, _ counted: ReleaseSums) {
    let doubtful = Set(zip(counted.openings, counted.figures).filter { $1.isDoubtful }.map(\.0.record.id))
    guard !doubtful.isEmpty else { return nil }
    level = risk.selection.level
    counting = RiskCounting(
      risk.vocabulary, risk.selection, risk.timeline, risk.targets.filter { doubtful.contains($0.id) }, [],
      countsBounds: true)
  }

  /// Puts estimates between the checks in their places.
  ///
  /// - Returns: of each, how many updates have only bounds, of how many.
  func estimate(_ counted: inout ReleaseSums, _ ledger: Ledger) -> [(updates: Int, of: Int)] {
    guard let tables = ledger.known(counting)?.tables else { return [] }
    var found: [(updates: Int, of: Int)] = []
    for (index, opening) in counted.openings.enumerated() where counted.figures[index].isDoubtful {
      guard let target = counting.targets.firstIndex(where: { $0.id == opening.record.id }) else { continue }
      let cells = tables[target].cells.filter { $0.key.channel == opening.channel }.map(\.value)
      let whole = RiskTable.merged(cells)
      counted.figures[index] = ReleaseFigures(whole, level: level)
      let side = PolledCount(counting).side(ledger, target, whole.table) { $0.channel == opening.channel }
      guard let side else { continue }
      counted.figures[index] = counted.figures[index].betweenChecks(side.curve, level: level)
      found.append((side.bounds.open, side.bounds.updates))
    }
    return found
  }
}
