import Glibc
import Statistics

/// Whether something bad happens too often after the launch of a release: by a limit that is the same for all releases, and by one
/// that past releases set, at equal exposure. Both may be looked at at any time, and devices count from their launch on.
package struct HarmTest {
  let events: Int
  /// The one that is exceeded; where none is, the smaller.
  let limit: Double
  let isFromHistory: Bool
  package let stops: Bool
  /// The share of these devices that would have had it by now on the release before; nil where nobody launched that.
  let usual: Double?

  /// The chance of a wrong stop is shared among two kinds of harm and two limits.
  static let alpha = Verdict.harmAlpha / 4
  /// With fewer the times at which harm comes are not known: then it is as if each device had been watched for the whole day.
  private static let fewestEvents = 10

  /// - Parameter past: the newest first.
  package init(
    _ own: Harm, _ launched: Int, past: [(harm: Harm, launches: LaunchCounts)], limit absolute: Double, level: Double
  ) {
    events = own.events
    let trials = Proportion(Int64(own.events), of: Int64(launched))
    let fixed = MixtureTest(limit: FailureLimit(configured: absolute), alpha: Self.alpha)
    let isAbove = fixed.evidenceAbove(trials) >= fixed.threshold
    let history = Self.limit(past, level)
    let isWorse = history.map { Self.isWorse(own, trials, than: past.map(\.harm), limit: $0) } ?? false
    stops = isAbove || isWorse
    isFromHistory = history.map { isWorse || (!isAbove && $0 <= absolute) } ?? false
    limit = isFromHistory ? history ?? absolute : absolute
    let last = past.first.flatMap { $0.launches.launched > 0 ? $0.harm : nil }
    usual = launched > 0 ? last.map { own.expected($0.chances) / Double(launched) } : nil
  }

  /// nil without launches a day old of any past release.
  private static func limit(_ past: [(harm: Harm, launches: LaunchCounts)], _ level: Double) -> Double? {
    let known = past.reversed().map { harm, launches in
      let old = max(launches.launched - launches.young.reduce(0, +), harm.events)
      return Proportion(Int64(harm.events), of: Int64(old))
    }
    return known.contains { $0.trials > 0 } ? FailureLimit(past: known, level: level).rate : nil
  }

  private static func isWorse(_ own: Harm, _ trials: Proportion, than past: [Harm], limit: Double) -> Bool {
    var pooled = Harm()
    for harm in past { pooled.add(harm) }
    guard pooled.events >= fewestEvents else {
      let test = MixtureTest(limit: FailureLimit(configured: limit), alpha: alpha)
      return test.evidenceAbove(trials) >= test.threshold
    }
    let test = ExposureTest(permitted: own.expected(pooled.chances(forDay: limit)), alpha: alpha)
    return test.evidenceAbove(own.events) >= test.threshold
  }
}

extension Harm {
  /// The chances at which so large a share has it within a day, spread over the day as here.
  fileprivate func chances(forDay share: Double) -> [Double] {
    let own = chances
    let whole = own.reduce(0) { $0 + log1p(-min($1, 0.999_999)) }
    guard whole < 0 else { return own }
    let scale = log1p(-share) / whole
    return own.map { -expm1(scale * log1p(-min($0, 0.999_999))) }
  }
}
