import Lifecycle
public import Simulate

/// The truth about every measure, by population.
public struct Truths: Codable, Sendable {
  /// Devices leave when they are uninstalled or abandoned.
  public var living: [String: Double] = [:]
  /// Everybody ever heard of, as far as who leaves does so without a word.
  public var heardOf: [String: Double] = [:]

  public init(_ truth: Truth) {
    living = Self.truths(truth, .living)
    heardOf = Self.truths(truth, .heardOf)
  }

  private static func truths(_ truth: Truth, _ population: Truth.Population) -> [String: Double] {
    var found: [Measure: Double] = [:]
    let times = truth.times(of: StudyScenario.release, on: StudyScenario.channel, population)
    for hours in Measure.ages { found[.adoption(hours)] = times.share(byHours: hours).all }
    for p in Measure.quantiles { found[.quantile(p)] = times.quantile(p) }
    for hours in Measure.mechanismAges {
      let parts = times.share(byHours: hours).byMechanism
      for trigger in Trigger.allCases { found[.mechanism(trigger.rawValue, hours)] = parts[trigger] ?? 0 }
    }
    let (pushes, attempts) = (truth.pushes, truth.firstAttempts(of: StudyScenario.release, on: StudyScenario.channel))
    if pushes.answerable > 0 { found[.lostPushes] = Double(pushes.lost) / Double(pushes.answerable) }
    if attempts.devices > 0 { found[.failures] = Double(attempts.failed) / Double(attempts.devices) }
    return Dictionary(uniqueKeysWithValues: found.map { ($0.key.rawValue, $0.value) })
  }
}
