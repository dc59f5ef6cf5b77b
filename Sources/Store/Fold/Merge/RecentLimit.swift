/// When a merge puts contacts down as recent runs, beside the settled ones: these are most of what a shard takes, and few
/// contacts change few of them.
struct RecentLimit {
  /// In smaller shards all runs are settled.
  var leastSettled = 1 << 14
  /// So many times the recent runs fit into the settled ones.
  var share = 8

  func allows(recent: Int, settled: Int) -> Bool { settled >= leastSettled && recent * share <= settled }
}
