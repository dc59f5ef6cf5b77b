extension LifeTable {
  /// As few as there can be, whatever was put in one after the other: the same for the same intervals.
  public var fewestRuns: [Int64] {
    var fewest: [Int64] = []
    for (key, count) in sums { fewest.append(count, ofKey: key) }
    return fewest
  }

  /// Intervals, not devices: a device that went silent and came back has two.
  public var intervals: Int64 { totals[Run.entry] }

  public var events: Int64 { causes.reduce(0) { $0 + events($1) } }

  public func events(_ cause: Cause) -> Int64 { totals[Run.kind(.event(cause))] }

  public func censored(_ reason: Censoring) -> Int64 { totals[Run.kind(.censored(reason))] }

  public var censored: Int64 { Censoring.allCases.reduce(0) { $0 + censored($1) } }

  /// From beyond here on nobody was followed, and some who were followed for less still wait; `.max` where there are none such.
  var waitsBeyond: Tick {
    let reasons: [Censoring] = [.cutOff, .superseded, .halted]
    return reasons.contains { censored($0) > 0 } ? followedAtMost ?? .max : .max
  }

  /// The causes that occur, in ascending order.
  public var causes: [Cause] {
    (1...Cause.highest).compactMap(Cause.init(rawValue:)).filter { events($0) > 0 }
  }

  /// Entries at the first tick anybody entered.
  public var enteredFirst: Int64 {
    guard let first = runs.first(where: { Run.kind($0) == Run.entry }).map(Run.key) else { return 0 }
    return runs.lazy.drop { Run.key($0) < first }.prefix { Run.key($0) == first }.reduce(0) { $0 + Run.count($1) }
  }

  /// Intervals that entered after time 0: late entries.
  public var enteredLate: Int64 {
    intervals
      - runs.lazy.prefix { Run.tick($0) == 0 }.filter { Run.kind($0) == Run.entry }.reduce(0) { $0 + Run.count($1) }
  }
}
