extension LifeTable {
  /// The table as it would have been seen at a tick: whoever is at risk beyond it is censored there.
  public func truncated(at limit: Tick) -> LifeTable {
    guard limit > 0, let last = lastTick, last > limit else { return limit > 0 ? self : LifeTable() }
    var builder = Builder()
    var inside: Int64 = 0
    for row in rows where row.tick <= limit {
      if row.tick < limit {
        builder.add(entered: row.entered, at: row.tick)
        inside += row.entered
      }
      inside -= copyExits(of: row, to: &builder)
    }
    builder.add(inside, .censored(.cutOff), at: limit)
    return builder.build()
  }

  private func copyExits(of row: Row, to builder: inout Builder) -> Int64 {
    var left: Int64 = 0
    for cause in causes {
      builder.add(row.events(cause), .event(cause), at: row.tick)
      left += row.events(cause)
    }
    for reason in Censoring.allCases {
      builder.add(row.censored(reason), .censored(reason), at: row.tick)
      left += row.censored(reason)
    }
    return left
  }
}
