internal import Lifecycle
internal import Query
internal import Statistics

/// What devices ran at an instant: counted, or between two that were.
struct MixPoint {
  var at: Timestamp
  /// By release; nil for those that never said.
  var shares: [String?: Double]

  init(_ past: Reach.Past) {
    at = past.at
    shares = Dictionary(past.running.map { ($0.release, $0.share.value ?? 0) }) { $0 + $1 }
  }

  /// Between two instants each release goes on in a line from the first, or from its own publication; together they stay what they were.
  init(at instant: Timestamp, _ before: MixPoint, _ after: MixPoint, _ publications: [String: Timestamp]) {
    at = instant
    let place = Double((instant - before.at).rawValue) / Double((after.at - before.at).rawValue)
    var shares: [String?: Double] = [:]
    for release in Set(before.shares.keys).union(after.shares.keys) {
      // Who runs it before that was given it elsewhere, or has another clock.
      let isRun = before.shares[release] ?? 0 > 0
      let start = isRun ? before.at : max(before.at, release.flatMap { publications[$0] } ?? before.at)
      guard instant > start || start == before.at else { continue }
      let weight = Double((instant - start).rawValue) / Double((after.at - start).rawValue)
      let first = start == before.at ? before.shares[release] ?? 0 : 0
      shares[release] = first + weight * ((after.shares[release] ?? 0) - first)
    }
    // Less than 1 where some are not told of.
    let (first, last) = (before.shares.values.reduce(0, +), after.shares.values.reduce(0, +))
    let (all, whole) = (shares.values.reduce(0, +), first + place * (last - first))
    self.shares = all > 0 ? shares.mapValues { $0 / all * whole } : before.shares
  }
}

extension Sequence<Reach.Past> {
  /// What devices ran at each instant, and at each publication between: up to there nobody ran what was not published yet.
  func drawn(_ publications: [String: Timestamp]) -> [MixPoint] {
    var (drawn, left) = ([MixPoint](), publications.values.sorted()[...])
    var counted: MixPoint?
    for point in self.lazy.map(MixPoint.init) {
      while let publication = left.first, publication < point.at {
        left.removeFirst()
        guard let counted, publication > counted.at else { continue }
        drawn.append(MixPoint(at: publication, counted, point, publications))
      }
      drawn.append(point)
      counted = point
    }
    return drawn
  }
}

extension Ticks {
  /// Round instants of a span, in seconds since its start; with the time of day where they are less than a day apart.
  static func dates(from start: Timestamp, span: Double) -> [Tick] {
    let ages = ages(to: span, atMost: span < 6 * 86_400 ? 6 : 8)
    let step = Int64(ages.count > 1 ? ages[1] : 86_400)
    let begin = start.rawValue / 1000
    let first: Int64 = (begin + step - 1) / step * step
    let seconds: [Int64] = Array(stride(from: first, through: begin + Int64(span), by: Int(step)))
    return seconds.map { (second: Int64) -> Tick in
      let words = Timestamp(rawValue: second * 1000).rfc3339.dropFirst(5)
      let day = String(words.prefix(5))
      let label = step < 86_400 ? day + " " + String(words.dropFirst(6).prefix(5)) : day
      return Tick(value: Double(second - begin), label: label)
    }
  }
}
