/// How many hours of devices had how many pushes.
struct HourCounts: Countable {
  /// Few pushes an hour are nearly all there is.
  private var few = [Int](repeating: 0, count: 16)
  private var more: [Int: Int] = [:]

  init() {}

  /// - Parameter hours: so many pushes, and in how many hours.
  init(_ hours: some Sequence<(Int64, Int)>) {
    for (pushes, count) in hours {
      if few.indices.contains(Int(pushes)) { few[Int(pushes)] = count } else { more[Int(pushes)] = count }
    }
  }

  mutating func count(_ pushes: Int) {
    if few.indices.contains(pushes) { few[pushes] += 1 } else { more[pushes, default: 0] += 1 }
  }

  var isEmpty: Bool { more.isEmpty && few.allSatisfy { $0 == 0 } }

  mutating func add(_ other: Self, times: Int) {
    for pushes in few.indices { few[pushes] += times * other.few[pushes] }
    more.add(other.more, times: times)
  }

  var byPushes: [Int: Int] {
    few.indices.filter { few[$0] > 0 }.reduce(into: more) { $0[$1] = few[$1] }
  }
}
