extension LifeTable {
  /// The table of all populations together, as if built from the union of their intervals.
  public static func merged(_ tables: [LifeTable]) -> LifeTable {
    if tables.count == 1 { return tables[0] }
    var merged = LifeTable(runs: mergedRuns(tables.map(\.runs)))
    merged.doubt = tables.lazy.compactMap(\.doubt).first
    return merged
  }

  /// Two by two, so that no run is moved more often than needed.
  static func mergedRuns(_ lists: [[Int64]]) -> [Int64] {
    guard lists.count > 1 else { return lists.first ?? [] }
    let middle = lists.count / 2
    return mergedRuns(Array(lists[..<middle])).merged(mergedRuns(Array(lists[middle...])))
  }
}
