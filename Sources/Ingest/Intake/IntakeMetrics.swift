/// What group commit tells about itself.
public final class IntakeMetrics: Sendable {
  public let commit = Histogram(bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5])
  public let batch = Histogram(bounds: [1, 10, 50, 100, 500, 1000, 5000, 10_000, 50_000])
  /// How long groups waited for room in the tail; nearly always not at all.
  public let tailWait = Histogram(bounds: [0.01, 0.1, 0.25, 0.5, 1, 2, 5])
  public init() {}
}
