import Lifecycle
import Store

/// What a row of an answer is split by, in small numbers.
struct GroupKey: Hashable {
  /// A release, or the code of a trigger.
  var kind: Int64 = 0
  var channel: Int64 = 0
  /// A number of the table of profiles; negative where only the push server named it: less the number of its name.
  var platform = 0
  var version = 0
}

/// What is counted of one group; sums only.
protocol Summable {
  mutating func add(_ other: Self)
}

/// Tallies by group, found again without making its labels.
struct GroupTallies<Tally: Summable> {
  var tallies: [Tally] = []
  private var labels: [Labels: Int] = [:]
  /// The keys that came first, which nearly all are.
  private var first: [(key: GroupKey, place: Int?)] = []
  private var others: [GroupKey: Int?] = [:]
  private let make: () -> Tally

  init(_ make: @escaping () -> Tally) { self.make = make }

  var groups: [(key: Labels, value: Tally)] { labels.map { (key: $0.key, value: tallies[$0.value]) } }

  /// Where the tally of a key lies; nil for those that are not asked for.
  ///
  /// - Parameter labels: what the key stands for; nil where that is not asked for.
  mutating func place(of key: GroupKey, _ labels: () -> Labels?) -> Int? {
    for known in first where known.key == key { return known.place }
    if let known = others[key] { return known }
    let place = labels().map { self.place(of: $0) }
    if first.count < 16 { first.append((key, place)) } else { others[key] = .some(place) }
    return place
  }

  mutating func place(of labels: Labels) -> Int {
    if let known = self.labels[labels] { return known }
    self.labels[labels] = tallies.count
    tallies.append(make())
    return tallies.count - 1
  }

  mutating func add(_ other: Self) {
    for (labels, place) in other.labels { tallies[self.place(of: labels)].add(other.tallies[place]) }
  }
}
