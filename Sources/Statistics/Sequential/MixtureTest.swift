import Glibc

/// A test of a failure rate against a limit that may be looked at after every device.
///
/// A mixture of likelihood ratios over fixed alternatives is a supermartingale whenever the rate is at most the
/// limit, so it exceeds 1/α with probability at most α over all looks together (J. Ville, 1939). First attempts of
/// different devices are taken as independent given the rate.
public struct MixtureTest: Hashable, Sendable {
  public static let oddsMultiples = [1.25, 1.5, 2, 3, 5, 10, 30]

  public let limit: Double
  public let alpha: Double

  /// `alpha` holds for the whole rollout; divide it by the number of cells that are watched at once.
  public init(limit: FailureLimit, alpha: Double = 0.05) {
    self.limit = limit.rate
    self.alpha = alpha
  }

  public enum Decision: String, CaseIterable, Hashable, Sendable, Codable {
    /// The rate is above the limit: stop the rollout.
    case stop
    /// The rate is below the limit: safe to widen.
    case widen
    case goOn
  }

  /// What the evidence is compared with: log 1/α.
  public var threshold: Double { -log(alpha) }

  /// - Parameter settled: the attempts so old that a failure would be known, and all that failed; only these can say that the
  ///   rate is low. All, where every outcome is known at once.
  public func decision(after attempts: Proportion, settled: Proportion? = nil) -> Decision {
    if evidenceAbove(attempts) >= threshold { return .stop }
    return evidenceBelow(settled ?? attempts) >= threshold ? .widen : .goOn
  }

  /// log e against "at most the limit"; 0 before the first device.
  public func evidenceAbove(_ attempts: Proportion) -> Double { evidence(attempts.counts, Self.oddsMultiples) }

  /// log e against "at least the limit": the mirror.
  public func evidenceBelow(_ attempts: Proportion) -> Double { evidenceBelow(attempts.counts) }

  /// The same of counts that are no whole numbers, as those of a part of the devices: in steps of one failure evidence would go down
  /// and up again with devices of which none fails.
  public func evidenceBelow(_ counts: Counts) -> Double { evidence(counts, Self.oddsMultiples.map { 1 / $0 }) }

  public typealias Counts = (failures: Double, rest: Double)

  private func evidence(_ counts: Counts, _ multiples: [Double]) -> Double {
    let odds = limit / (1 - limit)
    let (failures, rest) = counts
    let logs = multiples.map { multiple in
      let rate = odds * multiple / (1 + odds * multiple)
      return failures * log(rate / limit) + rest * (log1p(-rate) - log1p(-limit))
    }
    let largest = logs.max() ?? 0
    return largest + log(logs.reduce(0) { $0 + exp($1 - largest) } / Double(logs.count))
  }
}

extension Proportion {
  fileprivate var counts: MixtureTest.Counts { (Double(successes), Double(trials - successes)) }
}
