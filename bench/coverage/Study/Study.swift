import Lifecycle
import Query
import Simulate

extension StudyScenario {
  /// Plays one fleet and asks everything about it; seeds begin at 1.
  ///
  /// - Parameter limit: of the stop rule, which is looked at all along the rollout; nil leaves that out.
  public func report(seed: UInt64, devices: Int? = nil, limit: Double? = nil) throws -> FleetReport {
    let scenario = try scenario(devices: devices)
    let fleet = try StoredFleet(scenario, seed: own(seed))
    let readings =
      try fleet.updates(.uptake) + fleet.updates(.weekWindow) { $0.reachWindow = .days(7) } + fleet.pushes()
      + fleet.failures()
      + fleet.updatedOnly() + fleet.updates(.lastSeen) { $0.censor = .lastSeen } + fleet.eachAlone()
    return FleetReport(
      scenario: name, seed: seed, devices: scenario.devices, readings: readings, truths: Truths(fleet.truth),
      isStopped: try limit.map(fleet.isStopped))
  }

  /// The rate of failed first attempts in a population.
  public static func failureRate(_ truths: Truths) -> Double? { truths.heardOf[Measure.failures.rawValue] }

  /// The parameters of the process: the truth about one large population that no fleet of the study is part of.
  public func population(devices: Int) throws -> Truths {
    Truths(Fleet(try scenario(devices: devices), seed: own(0)).run { _ in })
  }

  /// Fleets of different scenarios must not be the same devices: their misses would come together.
  private func own(_ seed: UInt64) -> UInt64 {
    name.utf8.reduce(seed &+ 14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
  }
}
