extension LifeTable {
  /// At most so many marks that share the censored evenly; each stands where its last one left.
  public func censorMarks(_ most: Int64) -> [(tick: Tick, censored: Int64)] {
    let marks = min(most, censored)
    var (found, seen, marked) = ([(tick: Tick, censored: Int64)](), Int64(0), Int64(0))
    for place in runs.indices where Run.kind(runs[place]) >= Run.firstReason {
      seen += Run.count(runs[place])
      // Marks stand at the ends of rows.
      let isLast = place + 1 == runs.count || Run.tick(runs[place + 1]) > Run.tick(runs[place])
      guard isLast, seen * marks >= (Int64(found.count) + 1) * censored else { continue }
      found.append((Run.tick(runs[place]), seen - marked))
      marked = seen
    }
    return found
  }
}
