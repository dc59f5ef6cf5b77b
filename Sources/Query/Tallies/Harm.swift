package import Lifecycle
import Store

/// How often something bad happened, by the time since the start, and how many devices were watched through each span.
///
/// Whole numbers that add up: each device is in exactly one of `happened`, `inside` and `survived`.
package struct Harm: Mergeable, Equatable {
  /// Where spans begin, in minutes since the start; the last one ends with the time watched.
  static let spans: [Int64] = [0, 1, 5, 15, 30, 60, 120, 180, 240, 360, 480, 720, 960, 1200]

  private(set) var happened = [Int](repeating: 0, count: spans.count)
  /// Not watched to the end of the span.
  private(set) var inside = [Int](repeating: 0, count: spans.count)
  private(set) var survived = 0

  package init() {}

  static func span(_ age: Milliseconds) -> Int {
    let minutes = age.rawValue / 60_000
    return (spans.lastIndex { $0 <= minutes }) ?? 0
  }

  mutating func add(_ other: Self, times: Int) {
    for span in happened.indices {
      happened[span] += times * other.happened[span]
      inside[span] += times * other.inside[span]
    }
    survived += times * other.survived
  }

  /// - Parameters:
  ///   - age: since the start when it happened; nil where it did not, as far as the device was watched.
  ///   - whole: for how long devices are watched at most.
  package mutating func add(
    _ age: Milliseconds?, watchedFor end: Milliseconds, of whole: Milliseconds = LaunchCounts.watched
  ) {
    if let age {
      happened[Self.span(age)] += 1
    } else if end >= whole {
      survived += 1
    } else {
      inside[Self.span(end)] += 1
    }
  }
}

extension Harm {
  var events: Int { happened.reduce(0, +) }
  var devices: Int { survived + happened.reduce(0, +) + inside.reduce(0, +) }

  /// Devices that were watched in each span, to its end or not.
  private var entered: [Int] {
    var (left, entered) = (survived, [Int](repeating: 0, count: happened.count))
    for span in happened.indices.reversed() {
      left += happened[span] + inside[span]
      entered[span] = left
    }
    return entered
  }

  /// The chance in each span of those who were watched through it.
  var chances: [Double] { chances(more: 0, within: LaunchCounts.watched) }

  /// - Parameters:
  ///   - more: how often it happens in each span beyond what was seen, so that there is none in which it cannot happen.
  ///   - whole: for how long devices are watched at most.
  func chances(more: Double, within whole: Milliseconds) -> [Double] {
    let (entered, spans) = (entered, Self.spans(within: whole))
    return entered.indices.map { span in
      let through = Double(entered[span] - inside[span])
      return span < spans && through > 0 ? min((Double(happened[span]) + more) / through, 1) : 0
    }
  }

  /// How many spans begin while devices are watched.
  static func spans(within whole: Milliseconds) -> Int { spans.count { $0 * 60_000 < whole.rawValue } }

  /// How often it would have happened by now at such chances; a span counts whole once a device is in it, so this is never too low.
  func expected(_ chances: [Double]) -> Double { zip(entered, chances).reduce(0) { $0 + Double($1.0) * $1.1 } }
}

// MARK: in a summary

extension Harm {
  /// As numbers for a summary; the order is frozen, files that hold them are in the world.
  var stored: [Int64] { (happened + inside + [survived]).map(Int64.init) }

  /// nil where they are not as many as there should be.
  init?(stored: some Collection<Int64>) {
    let (numbers, spans) = (stored.map { Int($0) }, Self.spans.count)
    guard numbers.count == 2 * spans + 1 else { return nil }
    (happened, inside) = (Array(numbers[..<spans]), Array(numbers[spans..<(2 * spans)]))
    survived = numbers[2 * spans]
  }

  /// Of devices that were watched to the end and to which nothing happened, one had been watched for this long only.
  mutating func shorten(_ watched: Milliseconds) {
    survived -= 1
    inside[Self.span(watched)] += 1
  }
}
