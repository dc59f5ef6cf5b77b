import Lifecycle
import Store

extension RiskCounting: Counting {
  struct Sum {
    /// In the order of the targets.
    var tables: [RiskTables]
    /// Cell by cell, where devices were looked at.
    var counters: [(key: RiskTally.Key, counter: RiskCounter)] = []
    /// Where devices of two releases were looked at together.
    var shared: [SharedCell] = []
    /// What mechanisms did, where it was counted before.
    var stored: StoredMechanisms?
  }

  var start: RiskTally { RiskTally(self) }

  func sum(_ tally: RiskTally) -> Sum {
    let places = targets.map { target in tally.question.targets.firstIndex { $0.id == target.id } ?? 0 }
    let counters = tally.counters.compactMap { key, counter in
      places.firstIndex(of: key.target).map { (key: RiskTally.Key(target: $0, group: key.group), counter: counter) }
    }.filter { selection.includes($0.key.group) }
    let shared = tally.sharedCells.filter { selection.includes($0.first) }
    return Sum(tables: tally.tables(at: places).map { $0.part(selection) }, counters: counters, shared: shared)
  }

  /// Exact, or not used at all.
  func kept(_ snapshot: borrowing Snapshot) throws -> Kept<Sum>? {
    guard !countsBounds, !keepsWaiting else { return nil }
    if countsLegs { return try pairs.isEmpty ? storedWithLegs(snapshot).map(Kept.known) : nil }
    guard splits.isEmpty else { return nil }
    if let summary = try Summary(snapshot, selection, timeline),
      let shared = try pairs.isEmpty ? [] : summary.shared(snapshot, pairs)
    {
      return try summary.tables(snapshot, targets).map { .known(Sum(tables: $0, shared: shared)) }
    }
    return try OpenTables(snapshot, self)?.kept(snapshot)
  }

  func sum(stored: Sum, of wider: RiskCounting) -> Sum? {
    guard !countsLegs, !wider.countsLegs else { return nil }
    let places = targets.compactMap { target in wider.targets.firstIndex { $0.id == target.id } }
    let shared = stored.shared.filter { pairs.contains($0.pair) && selection.includes($0.first) }
    return Sum(tables: places.map { stored.tables[$0].part(selection) }, shared: shared)
  }

  /// What is told apart at once comes first: pages ask this of every two of thousands of releases, and cutoffs are compared day by day.
  func covers(_ other: RiskCounting) -> Bool {
    other.targets.allSatisfy { asked in targets.contains { $0.id == asked.id } }
      && splits.isSuperset(of: other.splits) && (countsLegs || !other.countsLegs)
      && selection.includes(all: other.selection) && Set(selection.slices).isSuperset(of: other.selection.slices)
      && Set(pairs).isSuperset(of: other.pairs) && countsAlike(other)
  }

  func union(_ other: RiskCounting) -> RiskCounting? {
    if covers(other) { return self }
    if other.covers(self) { return other }
    guard countsAlike(other) else { return nil }
    // Split by different things both would have far more cells than either.
    let slices = [selection.slices, other.selection.slices].max { $0.count < $1.count } ?? []
    guard Set(slices).isSuperset(of: selection.slices + other.selection.slices) else { return nil }
    var both = selection
    if !selection.includes(all: other.selection) { both = selection.rulesOnly }
    both.by = slices.map(Grouping.slice)
    let more = other.targets.filter { target in !targets.contains { $0.id == target.id } }
    return RiskCounting(
      vocabulary, both, timeline, targets + more, splits.union(other.splits),
      countsLegs: countsLegs || other.countsLegs, countsBounds: countsBounds,
      pairs: Set(pairs + other.pairs))
  }

  /// By the same rules; the release that a selection names is among the targets.
  private func countsAlike(_ other: RiskCounting) -> Bool {
    guard !keepsWaiting, !other.keepsWaiting, cutOff == other.cutOff, countsBounds == other.countsBounds else {
      return false
    }
    var rules = other.selection.rulesOnly
    rules.release = selection.release
    return selection.rulesOnly == rules
  }
}

extension Selection {
  /// Whether this looks at every channel and platform that another looks at.
  fileprivate func includes(all other: Selection) -> Bool {
    (channels.isEmpty || !other.channels.isEmpty && Set(channels).isSuperset(of: other.channels))
      && (platforms.isEmpty || !other.platforms.isEmpty && Set(platforms).isSuperset(of: other.platforms))
  }
}

extension Selection {
  /// The same question of everybody and not split: what is counted for it can be split afterwards.
  var rulesOnly: Selection {
    var copy = self
    (copy.channels, copy.platforms, copy.by, copy.level, copy.minCell) = ([], [], [], 0.95, 0)
    return copy
  }
}
