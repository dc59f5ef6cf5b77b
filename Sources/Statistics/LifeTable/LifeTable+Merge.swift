extension LifeTable {
  /// The table of all populations together, as if built from the union of their intervals.
  public static func merged(_ tables: [LifeTable]) -> LifeTable {
    tables.count == 1 ? tables[0] : LifeTable(runs: mergedRuns(tables.map(\.runs)))
  }

  /// Two by two, so that no run is moved more often than needed.
  static func mergedRuns(_ lists: [[Int64]]) -> [Int64] {
    guard lists.count > 1 else { return lists.first ?? [] }
    let middle = lists.count / 2
    return mergedRuns(Array(lists[..<middle])).merged(mergedRuns(Array(lists[middle...])))
  }
}
