import Statistics

/// A time that data leave open between two ticks, with limits around both.
///
/// nil where the curve, or that limit of it, does not get so far.
struct QuantileBand: Hashable, Sendable {
  var earliest: Tick?
  var latest: Tick?
  var lo: Tick?
  var hi: Tick?
  var level: Double
}

extension Turnbull {
  /// The time by which a share `p` (0 < p < 1) had updated, with limits that hold both what data leave open and chance.
  ///
  /// From the earliest it can be in samples of the same size, drawn with replacement, to the latest: the outer percentiles.
  /// A likelihood ratio has no known law here, where exact times, bounds and late entries are mixed. The same data in the
  /// same order give the same limits.
  ///
  /// - Parameters:
  ///   - times: of which this is the estimate.
  ///   - samples: at least 1.
  /// - Complexity: `samples` fits, each of at most as many times as there are devices.
  func band(
    of p: Double, _ times: [BoundedTime], level: Double, samples: Int = 200, seed: UInt64 = 1
  ) -> QuantileBand {
    let own = quantile(p)
    guard devices > 0 else { return QuantileBand(level: level) }
    let found = Self.resampled(times, samples, seed).map { Turnbull($0, rounds: 200).quantile(p) }
    // What is not reached lies beyond everything.
    let earliest = found.map { $0?.lowerBound ?? .max }.sorted()
    let latest = found.map { $0?.upperBound ?? .max }.sorted()
    let rank = Int(Double(samples) * (1 - level) / 2)
    return QuantileBand(
      earliest: own?.lowerBound, latest: own?.upperBound, lo: Self.reached(earliest[rank]),
      hi: Self.reached(latest[samples - 1 - rank]), level: level)
  }

  private static func reached(_ tick: Tick) -> Tick? { tick == .max ? nil : tick }

  /// As many devices as there are, each drawn from all with equal chance.
  private static func resampled(_ times: [BoundedTime], _ samples: Int, _ seed: UInt64) -> [[BoundedTime]] {
    var (total, random) = (Int64(0), SplitMix(seed: seed))
    let ends = times.map { time in
      total += time.count
      return total
    }
    return (0..<samples).map { _ in
      var counts = Array(repeating: Int64(0), count: times.count)
      for _ in 0..<total {
        let drawn = Int64.random(in: 0..<total, using: &random)
        counts[ends.partitioningIndex { $0 > drawn }] += 1
      }
      return zip(times, counts).compactMap { BoundedTime(entry: $0.entry, after: $0.after, upTo: $0.upTo, count: $1) }
    }
  }
}
