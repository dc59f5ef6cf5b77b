import Locks

/// A number that only rises, by label values; the labels are few and known to the caller.
public final class Counter: Sendable {
  private let counts = Lock<[[String]: Int]>([:])
  public init() {}

  public func add(_ count: Int = 1, _ labels: String...) {
    guard count > 0 else { return }
    counts.withLock { $0[labels, default: 0] += count }
  }

  /// In order of the labels.
  public var snapshot: [(labels: [String], count: Int)] {
    counts.withLock { $0 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { (labels: $0.key, count: $0.value) }
  }

  public var total: Int { counts.withLock { $0.values.reduce(0, +) } }
}
