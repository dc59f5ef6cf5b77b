public import Store

/// What was counted of one snapshot: questions that are asked together cost as few scans as what they need allows.
public final class Ledger {
  private let earlier: Ledger?
  private var entries: [any Entry] = []
  /// How often devices were gone through for it.
  public fileprivate(set) var scans = 0

  /// - Parameter earlier: is looked at, too, and not added to.
  public init(after earlier: Ledger? = nil) { self.earlier = earlier }

  /// What was counted. It must have been asked for before.
  subscript<Asked: Counting>(_ counting: Asked) -> Asked.Sum {
    guard let sum = known(counting) else { preconditionFailure("\(Asked.self) was not counted") }
    return sum
  }

  /// nil where it was not counted.
  func known<Asked: Counting>(_ counting: Asked) -> Asked.Sum? {
    switch value(for: counting) {
    case .tally(let tally): counting.sum(tally)
    case .stored(let sum): sum
    case nil: nil
    }
  }

  private func value<Asked: Counting>(for counting: Asked) -> Sum<Asked>.Value? {
    for case let entry as Sum<Asked> in entries {
      switch entry.value {
      case .tally where entry.counting.covers(counting): return entry.value
      case .stored(let sum): if let own = counting.sum(stored: sum, within: entry.counting) { return .stored(own) }
      case .tally: continue
      }
    }
    return earlier?.value(for: counting)
  }

  func add<Asked: Counting>(_ counting: Asked, _ tally: any Tally) {
    guard let tally = tally as? Asked.Counted else { preconditionFailure("a tally of another counting") }
    entries.append(Sum(counting: counting, value: .tally(tally)))
  }

  /// Whether it need not be counted.
  func knows<Asked: Counting>(_ counting: Asked) -> Bool { value(for: counting) != nil }

  func add<Asked: Counting>(_ counting: Asked, stored sum: Asked.Sum) {
    entries.append(Sum(counting: counting, value: .stored(sum)))
  }
}

extension Counting {
  fileprivate func sum(stored: Sum, within wider: Self) -> Sum? {
    if wider === self { return stored }
    return wider.covers(self) ? sum(stored: stored, of: wider) : nil
  }
}

private protocol Entry {}

private struct Sum<Asked: Counting>: Entry {
  enum Value {
    case tally(Asked.Counted)
    case stored(Asked.Sum)
  }
  let counting: Asked
  let value: Value
}

extension Snapshot {
  /// Counts for several questions what is not known yet.
  public func count(_ counts: [Counts], into ledger: Ledger) throws {
    var missing: [any Counting] = []
    for counting in try ledger.lookUp(counts.flatMap(\.all).widestFirst, self) { missing.unite(counting) }
    for (need, together) in scans(missing) {
      ledger.scans += 1
      let tallies = try count(need) { Tallies(together.map { $0.start }) }
      for (counting, tally) in zip(together, tallies.all) { ledger.add(counting, tally) }
    }
  }

  private func scans(_ countings: [any Counting]) -> [(need: Need, countings: [any Counting])] {
    var scans: [(need: Need, countings: [any Counting])] = []
    for counting in countings {
      let fitting = scans.indices.lazy.compactMap { at in scans[at].need.union(counting.need).map { (at, $0) } }.first
      if let (at, need) = fitting {
        scans[at] = (need, scans[at].countings + [counting])
      } else {
        scans.append((counting.need, [counting]))
      }
    }
    return scans
  }
}

extension [any Counting] {
  fileprivate mutating func unite<One: Counting>(_ one: One) {
    for index in indices {
      if let known = self[index] as? One, let both = known.union(one) {
        self[index] = both
        return
      }
    }
    append(one)
  }
}

/// Several tallies that one scan counts.
private struct Tallies: Tally {
  private(set) var all: [any Tally]

  init(_ all: [any Tally]) { self.all = all }

  mutating func count(_ page: borrowing ShardPage) throws {
    for index in all.indices { try all[index].count(page) }
  }

  mutating func add(_ other: Tallies, times: Int) {
    for index in all.indices { all[index].add(same: other.all[index], times: times) }
  }
}

extension Tally {
  fileprivate mutating func add(same other: any Tally, times: Int) {
    guard let other = other as? Self else { preconditionFailure("a tally of another kind") }
    add(other, times: times)
  }
}
