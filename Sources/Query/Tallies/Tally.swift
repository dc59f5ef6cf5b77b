import Store

/// What is counted in one scan. Each core counts into its own; they add up in any order, and the sum does not depend on
/// which device came to which.
protocol Tally: Mergeable {
  mutating func count(_ page: borrowing ShardPage) throws
}

/// What adds up in any order; and what was put in can be taken out again.
protocol Mergeable {
  /// - Parameter times: 1 to put in, -1 to take out what was put in.
  mutating func add(_ other: Self, times: Int)
}

extension Mergeable {
  mutating func add(_ other: Self) { add(other, times: 1) }
  mutating func subtract(_ other: Self) { add(other, times: -1) }
}

extension Dictionary: Mergeable where Value == Int {
  /// Where nothing is left, there is no entry.
  mutating func add(_ other: Self, times: Int) {
    if times > 0 { return merge(other, uniquingKeysWith: +) }
    for (key, count) in other {
      let left = self[key, default: 0] + times * count
      self[key] = left == 0 ? nil : left
    }
  }
}

extension Array where Element: Comparable {
  /// As a bag; ascending where something was taken out.
  mutating func add(bag other: [Element], times: Int) {
    if times > 0 { return self += other }
    var (left, out) = ([Element](), other.sorted()[...])
    for element in sorted() {
      if element == out.first { out.removeFirst() } else { left.append(element) }
    }
    self = left
  }
}

extension HeardAsk where State: Mergeable {
  /// What all threads counted.
  var sum: State { states.reduce(into: start) { $0.add($1) } }
}

extension Snapshot {
  /// What all devices together say.
  ///
  /// - Parameter start: a tally of nothing.
  func count<Counted: Tally>(_ need: Need, start: () -> Counted) throws -> Counted {
    let tallies = try scan(need, start: start) { tally, page in try tally.count(page) }
    return tallies.reduce(into: start()) { $0.add($1) }
  }
}
