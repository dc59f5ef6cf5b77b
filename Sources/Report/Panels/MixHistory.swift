internal import Lifecycle
internal import Query

extension Sequence<Reach.Past> {
  /// What devices ran at each instant, and once more at each publication before the next one: up to there nobody ran what was not
  /// published yet.
  func held(until publications: [Timestamp]) -> [(at: Timestamp, point: Reach.Past)] {
    var (drawn, left) = ([(at: Timestamp, point: Reach.Past)](), publications[...])
    for point in self {
      while let publication = left.first, publication < point.at {
        left.removeFirst()
        if let last = drawn.last, publication > last.at { drawn.append((publication, last.point)) }
      }
      drawn.append((point.at, point))
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
