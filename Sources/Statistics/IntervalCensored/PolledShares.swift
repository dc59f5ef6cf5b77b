import Glibc

/// Which part of the adoption between polls each cause brought: of the updates in each cell of time, those by the cause.
///
/// The cause of an update is known where its time is not. The parts are the likeliest ones for the hazards that the curve
/// of all causes has (by the EM algorithm), so that the shares of all causes add up to that curve.
public struct PolledShares: Sendable {
  let curve: PolledCurve
  let causes: [Cause]
  /// By cause, then cell.
  let parts: [[Double]]
  /// Updates by cell, as far as bounds tell.
  let updates: [Double]

  public init(_ times: PolledTimes, _ curve: PolledCurve) {
    self.curve = curve
    causes = Set(times.updates.keys.map(\.cause)).sorted()
    let size = max(curve.finestEnds.count, 1)
    let places = Dictionary(uniqueKeysWithValues: causes.enumerated().map { ($1, $0) })
    let known = times.updates.sorted { $0.key < $1.key }.map { bounds, count in
      Known(cause: places[bounds.cause] ?? 0, weight: Double(count), cells: curve.masses(bounds))
    }
    let all = known.reduce(0) { $0 + $1.weight }
    let overall = causes.indices.map { cause in
      known.reduce(0) { $0 + ($1.cause == cause ? $1.weight : 0) } / max(all, 1)
    }
    var parts = overall.map { Array(repeating: $0, count: size) }
    var updates = Array(repeating: 0.0, count: size)
    for _ in 0..<Self.mostRounds {
      let (next, counted) = Self.round(known, parts, overall)
      let change = zip(parts, next).reduce(0) { zip($1.0, $1.1).reduce($0) { max($0, abs($1.0 - $1.1)) } }
      (parts, updates) = (next, counted)
      if change < 1e-9 { break }
    }
    (self.parts, self.updates) = (parts, updates)
  }

  /// An update, and how likely each cell is for it whatever the cause.
  private struct Known {
    var cause: Int
    var weight: Double
    var cells: [(cell: Int, mass: Double)]
  }

  private static let mostRounds = 500

  /// Shares out each update among its cells, then counts each cell's causes. A cell without updates has those of all.
  private static func round(
    _ known: [Known], _ parts: [[Double]], _ overall: [Double]
  ) -> (parts: [[Double]], updates: [Double]) {
    var counts = parts.map { $0.map { _ in 0.0 } }
    for update in known {
      let whole = update.cells.reduce(0) { $0 + parts[update.cause][$1.cell] * $1.mass }
      guard whole > 0 else { continue }
      for (cell, mass) in update.cells {
        counts[update.cause][cell] += update.weight * parts[update.cause][cell] * mass / whole
      }
    }
    let updates = (parts.first ?? []).indices.map { cell in counts.reduce(0) { $0 + $1[cell] } }
    let next = counts.indices.map { cause in
      updates.indices.map { updates[$0] > 0 ? counts[cause][$0] / updates[$0] : overall[cause] }
    }
    return (next, updates)
  }
}

extension PolledCurve {
  /// How much of all updates lies in each cell of bounds.
  fileprivate func masses(_ bounds: PolledTimes.Bounds) -> [(cell: Int, mass: Double)] {
    var from = Double(bounds.after)
    return StepHazards.parts(from, Double(bounds.upTo), finestEnds).map { cell, part in
      let (before, after) = (exp(-fitted(by: from)), exp(-fitted(by: from + part)))
      from += part
      return (cell, max(before - after, 1e-300))
    }
  }
}
