public import Statistics

/// How rules that stop rollouts do over whole rollouts whose failure rate is known.
public struct PauseRuleStudy: Sendable {
  public struct Result: Sendable {
    public var rollouts = 0
    /// Of each that was stopped: devices that had begun an attempt, and the hours since the publication.
    public var exposed: [Int] = []
    public var hours: [Double] = []
    public var stopped: Int { exposed.count }
  }

  /// What past releases had, from which the limit comes.
  public static let usual = 0.02
  static let past = [Proportion](repeating: Proportion(60, of: 3000), count: 5)
  public static let limit = FailureLimit(past: past, level: 0.95)
  /// As usual, at the limit, twice it, and nearly every third device.
  public static let truths = [usual, limit.rate, 2 * limit.rate, 0.3]

  public let devices: Int
  /// By truth.
  public private(set) var results: [[PauseRule: Result]]

  /// - Parameter rollouts: for each truth.
  public init(rollouts: Int, devices: Int, seed: UInt64) {
    self.devices = devices
    results = Self.truths.map { _ in [:] }
    var random = Generator(state: seed)
    for (truth, rate) in Self.truths.enumerated() {
      for _ in 0..<rollouts {
        let rollout = SimulatedRollout(devices: devices, failing: rate, &random)
        for rule in PauseRule.allCases {
          results[truth][rule, default: Result()].add(rule.stop(rollout, limit: Self.limit), rollout)
        }
      }
    }
  }

  public func result(_ rule: PauseRule, truth: Int) -> Result { results[truth][rule] ?? Result() }
}

extension PauseRuleStudy.Result {
  fileprivate mutating func add(_ stop: Int?, _ rollout: SimulatedRollout) {
    rollouts += 1
    guard let stop else { return }
    exposed.append(rollout.steps[...stop].reduce(0) { $0 + $1.starts })
    hours.append(Double(stop + 1) / Double(SimulatedRollout.stepsPerHour))
  }

  /// The middle one of those that were stopped; nil where none was.
  public var medians: (exposed: Int, hours: Double)? {
    stopped == 0 ? nil : (exposed.sorted()[stopped / 2], hours.sorted()[stopped / 2])
  }

  fileprivate var words: String {
    let share = fixed(100 * Double(stopped) / Double(max(rollouts, 1)), 1)
    return medians.map { "\(share) %, \($0.exposed) devices, \(fixed($0.hours, 1)) h" } ?? "\(share) %"
  }
}

extension PauseRuleStudy {
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
