import Lifecycle
import Store

/// How many intervals are how long: in seconds, in whole minutes where longer than an hour.
struct IntervalCounts: Mergeable {
  /// By the second up to an hour, then by the minute; as long as what was counted needs.
  private var counts: [Int] = []
  /// Of intervals so long that few share a length.
  private var rare: [Int64: Int] = [:]
  private static let hour: Int64 = 3600
  private static let longest = hour + 60 * 24 * 14

  mutating func count(_ interval: Milliseconds) {
    let seconds = interval.rawValue / 1000
    let place = seconds > Self.hour ? Self.hour + (seconds - Self.hour) / 60 : seconds
    guard place >= 0, place < Self.longest else { return rare[seconds / 60 * 60, default: 0] += 1 }
    if place >= counts.count { counts += repeatElement(0, count: Int(place) + 1 - counts.count) }
    counts[Int(place)] += 1
  }

  mutating func add(_ other: Self, times: Int) {
    if other.counts.count > counts.count { counts += repeatElement(0, count: other.counts.count - counts.count) }
    for place in other.counts.indices { counts[place] += times * other.counts[place] }
    rare.add(other.rare, times: times)
  }

  /// In order of length.
  var lengths: [(seconds: Int64, count: Int)] {
    let common = counts.enumerated().filter { $0.element > 0 }.map { place, count in
      let place = Int64(place)
      return (seconds: place > Self.hour ? Self.hour + (place - Self.hour) * 60 : place, count: count)
    }
    return (common + rare.map { (seconds: $0.key, count: $0.value) }).sorted { $0.seconds < $1.seconds }
  }
}

extension WakeUps.Intervals {
  init(_ counts: IntervalCounts, _ shares: [Double], underFloor: Rate) {
    let lengths = counts.lengths
    let total = lengths.reduce(0) { $0 + $1.count }
    count = total
    devices = underFloor.devices
    quantiles = shares.map { WakeUps.Quantile(p: $0, seconds: Self.quantile($0, lengths, total)) }
    floorSeconds = WakeUps.floor.rawValue / 1000
    self.underFloor = underFloor
  }

  /// The shortest length that a share `p` of all does not exceed.
  private static func quantile(_ p: Double, _ lengths: [(seconds: Int64, count: Int)], _ total: Int) -> Int64? {
    var seen = 0
    return lengths.first { length in
      seen += length.count
      return Double(seen) >= p * Double(total) - 1e-9
    }?.seconds
  }
}
