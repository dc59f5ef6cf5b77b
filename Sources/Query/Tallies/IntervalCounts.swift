import Lifecycle
import Store

/// How many intervals are how long: in seconds, in whole minutes where longer than an hour.
struct IntervalCounts: Mergeable {
  /// By the second up to an hour, then by the minute; as long as what was counted needs.
  private var counts: [Int] = []
  /// Of intervals so long that few share a length.
  private var rare = RareCounts()
  private static let hour: Int64 = 3600
  private static let longest = hour + 60 * 24 * 14

  mutating func count(_ interval: Milliseconds) {
    let seconds = interval.rawValue / 1000
    guard let place = Self.place(seconds) else { return rare.count(seconds / 60 * 60) }
    add(1, at: place)
  }

  /// nil where few intervals are as long.
  @inline(__always)
  private static func place(_ seconds: Int64) -> Int? {
    let place = seconds > hour ? hour + (seconds - hour) / 60 : seconds
    return place >= 0 && place < longest ? Int(place) : nil
  }

  @inline(__always)
  private mutating func add(_ count: Int, at place: Int) {
    if place >= counts.count { counts += repeatElement(0, count: place + 1 - counts.count) }
    counts[place] += count
  }

  mutating func add(_ other: Self, times: Int) {
    if other.counts.count > counts.count { counts += repeatElement(0, count: other.counts.count - counts.count) }
    for place in other.counts.indices { counts[place] += times * other.counts[place] }
    rare.add(other.rare, times: times)
  }

  init() {}

  /// - Parameter lengths: as another gave them, in order.
  init(lengths: some Sequence<(seconds: Int64, count: Int)>) {
    var long: [(number: Int64, count: Int)] = []
    for (seconds, count) in lengths {
      if let place = Self.place(seconds) { add(count, at: place) } else { long.append((seconds, count)) }
    }
    rare = RareCounts(long)
  }

  /// In order of length.
  var lengths: [(seconds: Int64, count: Int)] {
    let common = counts.enumerated().filter { $0.element > 0 }.map { place, count in
      let place = Int64(place)
      return (seconds: place > Self.hour ? Self.hour + (place - Self.hour) * 60 : place, count: count)
    }
    return (common + rare.inOrder.map { (seconds: $0.number, count: $0.count) }).sorted { $0.seconds < $1.seconds }
  }

  /// The shortest length that a share `p` of all does not exceed; nil where there is none.
  func quantile(_ p: Double) -> Int64? {
    let lengths = lengths
    return Self.quantile(p, lengths, lengths.reduce(0) { $0 + $1.count })
  }

  fileprivate static func quantile(_ p: Double, _ lengths: [(seconds: Int64, count: Int)], _ total: Int) -> Int64? {
    var seen = 0
    return lengths.first { length in
      seen += length.count
      return Double(seen) >= p * Double(total) - 1e-9
    }?.seconds
  }
}

/// How often numbers occur of which each does so rarely: they are collected, and sorted when there are many.
struct RareCounts: Mergeable {
  private var fresh: [Int64] = []
  private var sorted: [(number: Int64, count: Int)] = []

  init() {}

  /// - Parameter sorted: each number once, in order.
  init(_ sorted: [(number: Int64, count: Int)]) { self.sorted = sorted }

  mutating func count(_ number: Int64) {
    fresh.append(number)
    if fresh.count >= max(4096, sorted.count) { settle() }
  }

  mutating func add(_ other: Self, times: Int) {
    sorted = Self.merged(sorted, other.inOrder.map { ($0.number, times * $0.count) })
  }

  /// Each number once, with how often it occurs.
  var inOrder: [(number: Int64, count: Int)] {
    var copy = self
    copy.settle()
    return copy.sorted.filter { $0.count != 0 }
  }

  private mutating func settle() {
    fresh.sort()
    sorted = Self.merged(sorted, fresh.map { ($0, 1) })
    fresh.removeAll(keepingCapacity: true)
  }

  /// - Parameters: in order.
  private static func merged(
    _ one: [(number: Int64, count: Int)], _ other: [(number: Int64, count: Int)]
  ) -> [(number: Int64, count: Int)] {
    var all: [(number: Int64, count: Int)] = []
    var (first, second) = (0, 0)
    while first < one.count || second < other.count {
      let takesFirst = second == other.count || first < one.count && one[first].number <= other[second].number
      let next = takesFirst ? one[first] : other[second]
      if takesFirst { first += 1 } else { second += 1 }
      if all.last?.number == next.number { all[all.count - 1].count += next.count } else { all.append(next) }
    }
    return all
  }
}

extension WakeUps.Intervals {
  init(_ counts: IntervalCounts, _ shares: [Double], underFloor: Rate) {
    let lengths = counts.lengths
    let total = lengths.reduce(0) { $0 + $1.count }
    count = total
    devices = underFloor.devices
    quantiles = shares.map { WakeUps.Quantile(p: $0, seconds: IntervalCounts.quantile($0, lengths, total)) }
    floorSeconds = WakeUps.floor.rawValue / 1000
    self.underFloor = underFloor
  }
}
