extension KaplanMeier {
  /// Fewer than so many at risk make an estimate unstable.
  public static let stableAtRisk: Int64 = 30

  /// Whether the curve at a tick rests on a risk set of fewer than 30, at that tick or at any event before it.
  ///
  /// With late entries one early device may bring S to 0 for ever; every later tick is then unstable too.
  public func isUnstable(at tick: Tick) -> Bool {
    guard table.atRisk(at: tick) >= Self.stableAtRisk else { return true }
    return firstThinEvent.map { $0 <= tick } ?? false
  }

  /// From where a plot fades: from here to the end one more update would move S by more than `limit` (S/n > limit).
  ///
  /// V. Gebski and others, International Journal of Epidemiology 47 (2018), on data maturity. nil: nowhere.
  public func fadeTick(limit: Double = 0.01) -> Tick? {
    var step = 0
    var fade: Tick?
    for row in table.ticks.indices where table.atRisk[row] > 0 {
      let tick = table.ticks[row]
      while step < ticks.count, ticks[step] < tick { step += 1 }
      let before = step > 0 ? survival[step - 1] : 1
      fade = before / Double(table.atRisk[row]) > limit ? fade ?? tick : nil
    }
    return fade
  }
}
