extension LifeTable {
  /// The table as it would have been seen at a tick: whoever is at risk beyond it is censored there.
  public func truncated(at limit: Tick) -> LifeTable {
    guard limit > 0, let last = lastTick, last > limit else { return limit > 0 ? self : LifeTable() }
    // Who enters at the limit or later was never at risk.
    var kept = runs[..<runs.partitioningIndex { Run.tick($0) > limit }].filter {
      Run.tick($0) < limit || Run.kind($0) != Run.entry
    }
    let inside = kept.reduce(0) { $0 + (Run.kind($1) == Run.entry ? Run.count($1) : -Run.count($1)) }
    kept.append(inside, ofKey: Run.key(Run.kind(.censored(.cutOff)), at: limit))
    var truncated = LifeTable(runs: kept.sorted())
    (truncated.doubt, truncated.refusesLateEntrants) = (doubt, refusesLateEntrants)
    (truncated.followedTo, truncated.followedAtMost) = (followedTo, followedAtMost)
    return truncated
  }
}
