import Glibc

/// The spans in which mass may lie, and what the bounds say of them.
///
/// Bounds cover a run of spans each, so sums over them are differences of running sums.
struct SpanLikelihood {
  let spans: [(after: Tick, through: Tick)]
  /// Equal bounds once, with how many devices have them.
  let cover: [Cover]
  let devices: Double

  struct Cover: Hashable {
    /// Spans that the time may lie in.
    var first: Int
    var end: Int
    /// Those before this one had to be over for the device to be watched.
    var watched: Int
  }

  let counts: [Double]

  init(_ bounds: [TimeBounds]) {
    let spans = Self.innermost(bounds)
    var found: [Cover: Int] = [:]
    for bound in bounds {
      let key = Cover(
        first: spans.number { $0.after < bound.after }, end: spans.number { $0.through <= bound.through ?? .max },
        watched: spans.number { $0.after < bound.entry })
      found[key, default: 0] += 1
    }
    let rows = found.sorted { ($0.key.first, $0.key.end, $0.key.watched) < ($1.key.first, $1.key.end, $1.key.watched) }
    (self.spans, devices) = (spans, Double(bounds.count))
    (cover, counts) = (rows.map(\.key), rows.map { Double($0.value) })
  }

  /// From a lower bound to the next upper one, without another bound between them. Entries end spans: before and after one,
  /// mass means something else.
  private static func innermost(_ bounds: [TimeBounds]) -> [(after: Tick, through: Tick)] {
    let lower = Set(bounds.map(\.after)).sorted()
    let firstEntry = bounds.map(\.entry).min() ?? 0
    let upper = Set(bounds.map { $0.through ?? .max } + bounds.map(\.entry).filter { $0 > firstEntry }).sorted()
    var (spans, next, before) = ([(after: Tick, through: Tick)](), 0, Tick.min)
    for through in upper {
      while next < lower.count, lower[next] < through { next += 1 }
      if next > 0, lower[next - 1] >= before { spans.append((lower[next - 1], through)) }
      before = through
    }
    return spans
  }

  /// The log likelihood, and its derivative towards more mass in each span, less the mean of all.
  func slopes(_ masses: [Double]) -> (logLikelihood: Double, slopes: [Double], scale: Double) {
    var sums = [0.0]
    for mass in masses { sums.append(sums[sums.count - 1] + mass) }
    let total = sums[masses.count]
    var (changes, log, scale) = ([Double](repeating: 0, count: masses.count + 1), 0.0, 0.0)
    for (cover, count) in zip(cover, counts) {
      let own = max(sums[cover.end] - sums[cover.first], 1e-300)
      let watched = max(total - sums[cover.watched], 1e-300)
      log += count * (Glibc.log(own) - Glibc.log(watched))
      changes[cover.first] += count / own
      changes[cover.end] -= count / own
      // Those who had to be over are seen by nobody: so many are to be thought of for each who is watched.
      changes[0] += count / watched
      changes[cover.watched] -= count / watched
      scale += count / watched
    }
    var running = 0.0
    let slopes = masses.indices.map { place in
      running += changes[place]
      return running - scale
    }
    return (log, slopes, scale)
  }
}

extension Array {
  /// How many come before the first that does not fit; those that fit come first.
  fileprivate func number(where fits: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if fits(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
