/// The failure rate above which a release must not be widened, where none was configured.
public struct FailureLimit: Hashable, Sendable {
  public let rate: Double

  public init(configured rate: Double) { self.rate = rate }

  /// Few or bad attempts in the past would permit any rate at all; a limit must still be able to refuse one.
  public static let highest = 0.5
  public static let least = 0.01

  /// The larger of 1 % and 1.5 times the upper Wilson limit of the newest five past releases, pooled; at most `highest`.
  ///
  /// `past` is ordered from old to new. Taken as known afterwards: its own uncertainty is not carried on.
  public init(past: [Proportion], level: Double) {
    let newest = past.suffix(5)
    let pooled = Proportion(
      newest.reduce(0) { $0 + $1.successes }, of: newest.reduce(0) { $0 + $1.trials })
    rate = min(max(Self.least, 1.5 * (pooled.wilson(level: level).hi ?? 0)), Self.highest)
  }
}
