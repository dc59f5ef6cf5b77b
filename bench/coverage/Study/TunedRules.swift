import Lifecycle
import Query
import Statistics

/// The rules of others with the threshold that serves them best, beside the whole verdict as it comes: of each so many reports and
/// such a window the lowest threshold is taken that stops at most one healthy rollout in twenty.
public struct TunedRuleStudy: Sendable {
  public struct Truth: Sendable {
    var name: String
    /// Shares of first attempts that fail, and of launches that crash within hours.
    var failing: Double
    var crashing = 0.005
    /// How many times the devices of the rollouts that thresholds were found with.
    var size = 1
  }
  public static let truths = [
    Truth(name: "healthy", failing: PauseRuleStudy.usual),
    Truth(name: "healthy, five times the devices", failing: PauseRuleStudy.usual, size: 5),
    Truth(name: "threefold failures", failing: 3 * PauseRuleStudy.usual),
    Truth(name: "9 % crash", failing: PauseRuleStudy.usual, crashing: 0.09),
  ]
  public static let falseStops = 0.05

  enum Contender: Sendable {
    /// With the limit that past releases set, or with one that is found like the thresholds of the others.
    case verdict(isTuned: Bool)
    case reports(ReportRule)
  }

  public struct Row: Sendable {
    public var name: String
    var contender: Contender
    public internal(set) var threshold = PauseRuleStudy.limit.rate
    /// By truth.
    public internal(set) var stops = TunedRuleStudy.truths.map { _ in Stops() }
  }
  public private(set) var rows: [Row]

  /// - Parameter rollouts: to find the thresholds, and for each truth.
  public init(rollouts: Int, devices: Int, seed: UInt64) {
    var random = Generator(state: seed)
    rows = Self.contenders.map { Row(name: $0.name, contender: $0.contender) }
    tune(Self.simulated(rollouts, devices, Self.truths[0], &random))
    for (place, truth) in Self.truths.enumerated() {
      for rollout in Self.simulated(rollouts, devices, truth, &random) {
        for row in rows.indices { rows[row].stops[place].add(rows[row].stop(rollout), rollout) }
      }
    }
  }

  private static func simulated(
    _ rollouts: Int, _ devices: Int, _ truth: Truth, _ random: inout Generator
  ) -> [SimulatedRollout] {
    (0..<rollouts).map { _ in
      SimulatedRollout(devices: truth.size * devices, failing: truth.failing, crashing: truth.crashing, &random)
    }
  }

  /// What only one healthy rollout in twenty exceeds.
  private mutating func tune(_ healthy: [SimulatedRollout]) {
    let place = Int(Double(healthy.count) * (1 - Self.falseStops))
    func found(_ highest: (SimulatedRollout) -> Double) -> Double { healthy.map(highest).sorted()[place].nextUp }
    for row in rows.indices {
      switch rows[row].contender {
      case .verdict(isTuned: false): break
      case .verdict(isTuned: true): rows[row].threshold = found(\.highestLimitOfAttempts)
      case .reports(let rule): rows[row].threshold = found(rule.highest)
      }
    }
  }

  private static var contenders: [(name: String, contender: Contender)] {
    let hour = SimulatedRollout.stepsPerHour
    func wilson(_ hours: Int, _ fewest: Int) -> Contender {
      .reports(ReportRule(window: hours * hour, every: 1, fewest: fewest, isCertain: true))
    }
    func share(_ fewest: Int) -> Contender { .reports(ReportRule(every: hour, fewest: fewest, isCertain: false)) }
    return [
      ("Uptake’s verdict, every hour, as it comes", .verdict(isTuned: false)),
      ("Uptake’s verdict, its limit of first attempts found in the same way", .verdict(isTuned: true)),
      ("Capgo’s rule: an hour, from the first report on", wilson(1, 1)),
      ("an hour, from 20 reports on", wilson(1, 20)), ("an hour, from 100 on", wilson(1, 100)),
      ("a day, from the first on", wilson(24, 1)), ("a day, from 20 on", wilson(24, 20)),
      ("a day, from 100 on", wilson(24, 100)), ("share of all reports, from 20 on, every hour", share(20)),
      ("the same, from 100 on", share(100)),
    ]
  }

  /// As in the study of rules with one limit; the threshold beside the rule.
  public var table: String {
    let lines = rows.map { row in
      "| \(row.name) | \(fixed(100 * row.threshold, 1)) % | \(row.stops.map(\.words).joined(separator: " | ")) |"
    }
    let names = Self.truths.map(\.name).joined(separator: " | ")
    return "| rule | threshold | \(names) |\n|---|---:|\(Self.truths.map { _ in "---:|" }.joined())\n"
      + lines.joined(separator: "\n") + "\n"
  }
}

extension TunedRuleStudy.Row {
  fileprivate func stop(_ rollout: SimulatedRollout) -> Int? {
    switch contender {
    case .verdict: rollout.stopOfVerdict(FailureLimit(configured: threshold))
    case .reports(let rule): rule.stop(rollout, threshold: threshold)
    }
  }
}
