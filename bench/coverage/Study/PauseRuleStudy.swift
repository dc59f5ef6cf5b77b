public import Statistics

/// How rules that stop rollouts do over whole rollouts whose failure rate is known.
public struct PauseRuleStudy: Sendable {
  /// What past releases had, from which the limit comes.
  public static let usual = 0.02
  static let past = [Proportion](repeating: Proportion(60, of: 3000), count: 5)
  public static let limit = FailureLimit(past: past, level: 0.95)
  /// As usual, at the limit, twice it, and nearly every third device.
  public static let truths = [usual, limit.rate, 2 * limit.rate, 0.3]

  public let devices: Int
  /// By truth.
  public private(set) var results: [[PauseRule: Stops]]

  /// - Parameter rollouts: for each truth.
  public init(rollouts: Int, devices: Int, seed: UInt64) {
    self.devices = devices
    results = Self.truths.map { _ in [:] }
    var random = Generator(state: seed)
    for (truth, rate) in Self.truths.enumerated() {
      for _ in 0..<rollouts {
        let rollout = SimulatedRollout(devices: devices, failing: rate, &random)
        for rule in PauseRule.allCases {
          results[truth][rule, default: Stops()].add(rule.stop(rollout, limit: Self.limit), rollout)
        }
      }
    }
  }

  public func result(_ rule: PauseRule, truth: Int) -> Stops { results[truth][rule] ?? Stops() }

  /// Rollouts stopped, and of these the middle number of devices that had tried, and of hours.
  public var table: String {
    let head = Self.truths.map { "\(fixed(100 * $0, 1)) % fail" }
    let rows = PauseRule.allCases.map { rule in
      "| \(rule.rawValue) | " + head.indices.map { result(rule, truth: $0).words }.joined(separator: " | ") + " |"
    }
    return "| rule | \(head.joined(separator: " | ")) |\n|---|\(head.map { _ in "---:" }.joined(separator: "|"))|\n"
      + rows.joined(separator: "\n") + "\n"
  }
}
