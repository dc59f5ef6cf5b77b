extension LifeTable {
  /// The table of all populations together, as if built from the union of their intervals.
  public static func merged(_ tables: [LifeTable]) -> LifeTable {
    if tables.count == 1 { return tables[0] }
    var merged = LifeTable(runs: mergedRuns(tables.map(\.runs)))
    merged.doubt = tables.lazy.compactMap(\.doubt).first
    merged.followedTo = tables.compactMap(\.followedTo).min()
    merged.followedAtMost = tables.compactMap(\.followedAtMost).max()
    return merged
  }

  /// The two shortest first, so that no run is moved more often than needed.
  static func mergedRuns(_ lists: [[Int64]]) -> [Int64] {
    var lists = lists.sorted { $0.count > $1.count }
    while lists.count > 1 {
      let merged = lists.removeLast().merged(lists.removeLast())
      lists.insert(merged, at: lists.partitioningIndex { $0.count <= merged.count })
    }
    return lists.first ?? []
  }
}
