import Glibc

/// How often intervals held a truth, and how far off the values were.
public struct Coverage: Sendable {
  public private(set) var fleets = 0
  public private(set) var covered = 0
  /// Fleets whose answer gave no limits on either side; they are not among `fleets`.
  public private(set) var unlimited = 0
  /// Truths below and above their interval.
  public private(set) var below = 0
  public private(set) var above = 0
  private var errors: [Double] = []

  public init() {}

  /// A truth of nil lies beyond everything that was seen.
  public mutating func add(_ reading: Reading, truth: Double?) {
    if let value = reading.value, let truth { errors.append(value - truth) }
    guard reading.lo != nil || reading.hi != nil else { return unlimited += 1 }
    fleets += 1
    // A share of nothing is known to rounding only.
    let truth = truth ?? .infinity
    if truth < (reading.lo ?? -.infinity) - 1e-12 { below += 1 }
    if truth > (reading.hi ?? .infinity) + 1e-12 { above += 1 }
    covered = fleets - below - above
  }

  public var share: Double { fleets == 0 ? .nan : Double(covered) / Double(fleets) }
  /// One binomial standard error of a coverage of 95 % among so many fleets.
  public var standardError: Double { (0.95 * 0.05 / Double(max(fleets, 1))).squareRoot() }
  /// Whether the coverage lies within two standard errors of 95 %.
  public var isAsSaid: Bool { abs(share - 0.95) <= 2 * standardError }
  public var bias: Double { errors.isEmpty ? .nan : errors.reduce(0, +) / Double(errors.count) }
  public var meanError: Double { errors.isEmpty ? .nan : errors.reduce(0) { $0 + abs($1) } / Double(errors.count) }
}

/// The reports of a study beside the populations that their fleets were drawn from.
public struct Results: Sendable {
  public var reports: [FleetReport] = []
  public var populations: [String: Truths] = [:]

  public init() {}

  /// Which truth a reading is held against.
  public enum Target: String, CaseIterable, Sendable {
    /// The parameter of the process, with devices that leave unseen counted as not updating.
    case heardOf
    /// The parameter of the process among devices that are still there.
    case living
    /// What became of this very fleet.
    case thisFleet
  }

  public func coverage(
    of measure: Measure, _ method: Method, _ target: Target, in scenarios: (String) -> Bool
  ) -> Coverage {
    var coverage = Coverage()
    for report in reports where scenarios(report.scenario) {
      for reading in report.readings where reading.measure == measure && reading.method == method {
        guard reading.value != nil || reading.lo != nil, let truths = truths(target, report) else { continue }
        coverage.add(reading, truth: truths[measure.rawValue])
      }
    }
    return coverage
  }

  private func truths(_ target: Target, _ report: FleetReport) -> [String: Double]? {
    switch target {
    case .heardOf: populations[report.scenario]?.heardOf
    case .living: populations[report.scenario]?.living
    case .thisFleet: report.truths.heardOf
    }
  }

  /// Rollouts whose failure rate was the stop rule's limit, and those that it stopped.
  public var stops: (rollouts: Int, stopped: Int) {
    let asked = reports.compactMap(\.isStopped)
    return (asked.count, asked.count { $0 })
  }

  /// Measures whose intervals hold the process less often than they say, by more than three standard errors.
  public func misses(in scenarios: [String]) -> [Measure] {
    measures.filter {
      let found = coverage(of: $0, .uptake, .heardOf) { scenarios.contains($0) }
      return found.fleets > 0 && found.share < 0.95 - 3 * found.standardError
    }
  }

  /// All measures that were read, in the order of the first report that has them.
  public var measures: [Measure] {
    var seen: Set<Measure> = []
    return reports.flatMap(\.readings).map(\.measure).filter { seen.insert($0).inserted }
  }
}
