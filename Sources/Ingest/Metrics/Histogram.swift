import Locks

/// Counts of observations up to each bound, as Prometheus reads them.
public final class Histogram: Sendable {
  public struct Snapshot: Equatable, Sendable {
    /// Observations at or below each bound, cumulative.
    public var cumulative: [Int]
    public var count: Int
    public var sum: Double
  }
  private struct State {
    var counts: [Int]
    var sum = 0.0

    mutating func count(_ value: Double, _ bounds: [Double]) {
      counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
      sum += value
    }
  }
  public let bounds: [Double]
  private let state: Lock<State>

  /// - Parameter bounds: upper bounds in rising order; what lies above the last is counted too.
  public init(bounds: [Double]) {
    self.bounds = bounds
    state = Lock(State(counts: Array(repeating: 0, count: bounds.count + 1)))
  }

  public func observe(_ value: Double) { state.withLock { $0.count(value, bounds) } }

  /// Many at once: the lock is taken once.
  public func observe(_ values: [Double]) {
    state.withLock { state in for value in values { state.count(value, bounds) } }
  }

  public func observe(seconds duration: Duration) { observe(duration / .seconds(1)) }

  public var snapshot: Snapshot {
    state.withLock { state in
      var total = 0
      let running = state.counts.map { count in
        total += count
        return total
      }
      return Snapshot(cumulative: Array(running.dropLast()), count: total, sum: state.sum)
    }
  }
}
