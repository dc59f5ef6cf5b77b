import Glibc

/// The likelihood of bounded times where the hazard is constant within each of a few cells.
///
/// A time in (L, R] of who was watched from E on has -Λ(E, L] + log(1 - exp(-Λ(L, R])). Concave in the hazards, and the
/// information matrix is regular, unlike that of hazards without any form.
struct StepHazards: Sendable {
  /// In ticks; the first begins at 0.
  let ends: [Double]
  private let updates: [(bounds: PolledTimes.Bounds, weight: Double)]
  /// Ticks that all devices together are known to have been without the update, by cell.
  private let exposure: [Double]

  init(_ times: PolledTimes, ends: [Double]) {
    self.ends = ends
    updates = times.updates.sorted { $0.key < $1.key }.map { ($0.key, Double($0.value)) }
    var exposure = [Double](repeating: 0, count: ends.count)
    for (tick, count) in times.watched {
      for (cell, part) in Self.parts(0, Double(tick), ends) { exposure[cell] -= Double(count) * part }
    }
    self.exposure = exposure
  }

  /// How long of each cell lies in (from, to].
  static func parts(_ from: Double, _ to: Double, _ ends: [Double]) -> [(cell: Int, part: Double)] {
    var parts: [(cell: Int, part: Double)] = []
    var cell = ends.partitioningIndex { $0 > from }
    while cell < ends.count {
      let begin = cell == 0 ? 0 : ends[cell - 1]
      if begin >= to { break }
      parts.append((cell, min(to, ends[cell]) - max(from, begin)))
      cell += 1
    }
    return parts
  }

  func parts(_ bounds: PolledTimes.Bounds) -> [(cell: Int, part: Double)] {
    Self.parts(Double(bounds.after), Double(bounds.upTo), ends)
  }

  typealias Slope = (value: Double, gradient: [Double], information: [[Double]])

  /// The logarithm of the likelihood, its first derivatives, and its second ones with the sign turned.
  func slope(_ hazards: [Double]) -> Slope {
    var (value, gradient) = (0.0, exposure.map { -$0 })
    var information = Array(repeating: Array(repeating: 0.0, count: ends.count), count: ends.count)
    for cell in ends.indices { value -= hazards[cell] * exposure[cell] }
    for (bounds, weight) in updates {
      let parts = parts(bounds)
      let rise = parts.reduce(0) { $0 + hazards[$1.cell] * $1.part }
      let grown = expm1(rise)
      value += weight * log(-expm1(-rise))
      for one in parts {
        gradient[one.cell] += weight * one.part / grown
        for other in parts {
          information[one.cell][other.cell] += weight * one.part * other.part * (grown + 1) / (grown * grown)
        }
      }
    }
    return (value, gradient, information)
  }
}

extension StepHazards {
  /// So many cells with about as many updates each, by the middle of their bounds.
  static func ends(_ times: PolledTimes, cells: Int) -> [Double] {
    let middles = times.updates.map { (at: Double($0.key.after + $0.key.upTo) / 2, count: Double($0.value)) }
      .sorted { $0.at < $1.at }
    let total = middles.reduce(0) { $0 + $1.count }
    var (ends, seen): ([Double], Double) = ([], 0)
    for middle in middles {
      seen += middle.count
      let isFull = seen * Double(cells) >= total * Double(ends.count + 1)
      if isFull, ends.count < cells - 1, middle.at > ends.last ?? 0 { ends.append(middle.at) }
    }
    let last = Double(times.updates.keys.map(\.upTo).max() ?? 1)
    return ends.filter { $0 < last } + [last]
  }

  /// How many may be tried: no more than the cube root of the updates, nor than twelve. Fewer than three would make limits too
  /// narrow where the hazard is only nearly constant.
  static func cells(_ times: PolledTimes) -> [Int] {
    let most = max(1, min(12, Int(cbrt(Double(times.count)).rounded())))
    return most < 3 ? [most] : [3, 4, 6, 8, 12].filter { $0 <= most }
  }
}
