import Statistics

/// What the verdict's rule for first attempts does where a release fails at other times than past releases did.
///
/// The rule takes from the past when failures come. Where they come sooner now, and no more often, that must not look like more of them.
public struct FailureTimesStudy: Sendable {
  /// The share of failures that are downloads, which break within minutes; the others are rollbacks at the first launch.
  public static let kinds: [(name: String, broken: Double?)] = [
    ("downloads", 1), ("half downloads, half rollbacks", nil), ("rollbacks", 0),
  ]
  public static let truths = [PauseRuleStudy.usual, PauseRuleStudy.limit.rate, 2 * PauseRuleStudy.limit.rate]

  /// By what failed in the past, by what fails now, by truth.
  public private(set) var results: [[[Stops]]]

  /// - Parameter rollouts: for each kind and truth.
  public init(rollouts: Int, devices: Int, seed: UInt64) {
    var random = Generator(state: seed)
    results = Self.kinds.map { _ in Self.kinds.map { _ in Self.truths.map { _ in Stops() } } }
    let pasts = Self.kinds.map { SimulatedRollout.releases(broken: $0.broken) }
    for (now, kind) in Self.kinds.enumerated() {
      for (truth, rate) in Self.truths.enumerated() {
        for _ in 0..<rollouts {
          let rollout = SimulatedRollout(devices: devices, failing: rate, broken: kind.broken, &random)
          for (before, past) in pasts.enumerated() {
            results[before][now][truth].add(rollout.stopOfAttempts(PauseRuleStudy.limit, past: past), rollout)
          }
        }
      }
    }
  }

  public var table: String {
    let head = Self.truths.map { "\(fixed(100 * $0, 1)) % fail" }.joined(separator: " | ")
    let rows = Self.kinds.indices.flatMap { before in
      Self.kinds.indices.map { now in
        "| \(Self.kinds[before].name) | \(Self.kinds[now].name) | "
          + results[before][now].map(\.words).joined(separator: " | ") + " |"
      }
    }
    return "| in past releases | now | \(head) |\n|---|---|\(Self.truths.map { _ in "---:|" }.joined())\n"
      + rows.joined(separator: "\n") + "\n"
  }
}
