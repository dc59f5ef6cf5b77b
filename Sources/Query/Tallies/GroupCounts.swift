import Lifecycle
import Store

/// What a row of an answer is split by, in small numbers.
struct GroupKey: Hashable {
  /// A release, or the code of a trigger.
  var kind: Int64 = 0
  var channel: Int64 = 0
  /// A number of the table of profiles; negative where only the push server named it: less the number of its name.
  var platform = 0
  /// Of what devices say of themselves, in the order that is asked for; 0 where less is.
  var slices = SliceNumbers()
}

/// Up to three small numbers: no memory of its own.
struct SliceNumbers: Hashable {
  private var (first, second, third) = (0, 0, 0)

  subscript(place: Int) -> Int {
    get { place == 0 ? first : place == 1 ? second : third }
    set {
      switch place {
      case 0: first = newValue
      case 1: second = newValue
      default: third = newValue
      }
    }
  }
}

/// What is counted of one group.
protocol Countable: Mergeable {
  /// As if nothing had been counted.
  var isEmpty: Bool { get }
}

/// Counts by group, found again without making its labels.
struct GroupCounts<Counts: Countable> {
  var list: [Counts] = []
  private var labels: [Labels: Int] = [:]
  /// The keys that came first, which nearly all are.
  private var first: [(key: GroupKey, index: Int?)] = []
  private var others: [GroupKey: Int?] = [:]
  private let make: () -> Counts

  init(_ make: @escaping () -> Counts) { self.make = make }

  /// Without those of which all was taken out; an answer that is not split has its one group in any case.
  var groups: [(key: Labels, value: Counts)] {
    labels.map { (key: $0.key, value: list[$0.value]) }.filter { $0.key.parts.isEmpty || !$0.value.isEmpty }
  }

  /// The index of a key's counts; nil for those that are not asked for.
  ///
  /// - Parameter labels: what the key stands for; nil where that is not asked for.
  mutating func index(of key: GroupKey, _ labels: () -> Labels?) -> Int? {
    for known in first where known.key == key { return known.index }
    if let known = others[key] { return known }
    let index = labels().map { self.index(of: $0) }
    if first.count < 16 { first.append((key, index)) } else { others[key] = .some(index) }
    return index
  }

  func labels(at index: Int) -> Labels? { labels.first { $0.value == index }?.key }

  mutating func index(of labels: Labels) -> Int {
    if let known = self.labels[labels] { return known }
    self.labels[labels] = list.count
    list.append(make())
    return list.count - 1
  }

  mutating func add(_ other: Self, times: Int) {
    for (labels, index) in other.labels { list[self.index(of: labels)].add(other.list[index], times: times) }
  }
}
