extension PolledTimes {
  /// Which of the times that bounds leave open is taken.
  public enum Side: Sendable { case earliest, latest }

  /// The product-limit curve with each update as early, or as late, as it can have been: what data leave open, whatever the hazard.
  ///
  /// As exact as the counted ticks are: to a thirty-second.
  public func outer(_ side: Side) -> KaplanMeier { KaplanMeier(outerTable(side)) }

  private func outerTable(_ side: Side) -> LifeTable {
    var builder = LifeTable.Builder()
    for (tick, count) in watched {
      if count > 0 { builder.add(entered: count, at: tick) } else { builder.add(-count, .censored(.cutOff), at: tick) }
    }
    // From the lower bound on an update stays at risk until it is taken to happen.
    for (bounds, count) in updates {
      builder.add(entered: count, at: bounds.after)
      builder.add(count, .event(bounds.cause), at: side == .earliest ? bounds.after + 1 : bounds.upTo)
    }
    return builder.build()
  }

  /// The last tick that anything is known of.
  public var lastTick: Tick { max(updates.keys.map(\.upTo).max() ?? 0, watched.keys.max() ?? 0) }
}
