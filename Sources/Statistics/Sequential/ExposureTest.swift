import Glibc

/// A test of how often something happened against what a limit permits for the exposure so far; it may be looked at at any time.
///
/// Where each device's chance in each span of time is at most the limit's, r^events · exp(−(r − 1) · permitted) is a
/// supermartingale for every r > 1, and so is a mixture over several r: it exceeds 1/α with probability at most α over all looks
/// together (J. Ville, 1939). Unlike `MixtureTest` it need not wait until an outcome is known: a device counts for as long as
/// it was watched.
public struct ExposureTest: Hashable, Sendable {
  /// How often it would have happened by now at the limit.
  public let permitted: Double
  /// Holds for the whole rollout.
  public let alpha: Double

  public init(permitted: Double, alpha: Double) {
    (self.permitted, self.alpha) = (permitted, alpha)
  }

  /// What the evidence is compared with: log 1/α.
  public var threshold: Double { -log(alpha) }

  /// log e against "at most what the limit permits"; 0 before anything was watched.
  public func evidenceAbove(_ events: Int) -> Double {
    let logs = MixtureTest.oddsMultiples.map { Double(events) * log($0) - ($0 - 1) * permitted }
    let largest = logs.max() ?? 0
    return largest + log(logs.reduce(0) { $0 + exp($1 - largest) } / Double(logs.count))
  }
}
