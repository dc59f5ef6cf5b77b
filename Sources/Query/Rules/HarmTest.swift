import Glibc
package import Lifecycle
import Statistics

/// Whether something bad happens too often after the launch of a release: by a limit that is the same for all releases, and by one
/// that past releases set, half of it at equal exposure. Both may be looked at at any time, and devices count from their launch on.
package struct HarmTest {
  let events: Int
  /// The one that is exceeded; where none is, the smaller.
  let limit: Double
  let isFromHistory: Bool
  package let stops: Bool
  /// Whether the newest figures alone would stop it.
  let holds: Bool
  /// The first look at which it was to be stopped; nil where it is not, or looks are not known.
  package var reachedAt: Timestamp? { reached?.at }
  let reached: LookTest.Reached?
  /// The share of these devices that would have had it by now on the release before; nil where nobody launched that.
  let usual: Double?

  /// The chance of a wrong stop is shared among two kinds of harm and two limits.
  static let alpha = Verdict.harmAlpha / 4
  /// Of what a limit permits, this much comes when it came in past releases; the rest may come at once, since a release may fail
  /// sooner than those did, and no more often.
  static let asBefore = 0.5
  /// With fewer the times at which harm comes are not known: then it is as if each device had been watched for the whole day.
  private static let fewestEvents = 10

  /// - Parameters:
  ///   - past: the newest first.
  ///   - looks: of `own`; without them only what is known now is looked at.
  ///   - cells: how many such tests are made of parts of the devices; the chance of a wrong stop is shared among them.
  package init(
    _ own: Harm, _ launched: Int, past: [(harm: Harm, launches: LaunchCounts)], limit absolute: Double, level: Double,
    looks: (own: HarmLooks, counted: CountedLooks)? = nil, cells: Int = 1
  ) {
    let alpha = Self.alpha / Double(max(cells, 1))
    events = own.events
    let history = Self.limit(past, level)
    let rules = [
      Rule.share(MixtureTest(limit: FailureLimit(configured: absolute), alpha: alpha)),
      history.map { Self.rule(past.map(\.harm), limit: $0, alpha) },
    ]
    let tests = rules.map { rule in rule.map { Found($0, own, launched, looks, alpha) } }
    let (isAbove, isWorse) = (tests[0]?.stops ?? false, tests[1]?.stops ?? false)
    stops = isAbove || isWorse
    holds = tests.contains { $0?.holds ?? false }
    reached = tests.compactMap { $0?.reached }.min { $0.at < $1.at }
    isFromHistory = history.map { isWorse || (!isAbove && $0 <= absolute) } ?? false
    limit = isFromHistory ? history ?? absolute : absolute
    let last = past.first.flatMap { $0.launches.launched > 0 ? $0.harm : nil }
    usual = launched > 0 ? last.map { min(1, own.expected($0.chances) / Double(launched)) } : nil
  }

  /// nil without launches a day old of any past release.
  private static func limit(_ past: [(harm: Harm, launches: LaunchCounts)], _ level: Double) -> Double? {
    let known = past.reversed().map { harm, launches in
      let old = max(launches.launched - launches.young.reduce(0, +), harm.events)
      return Proportion(Int64(harm.events), of: Int64(old))
    }
    return known.contains { $0.trials > 0 } ? FailureLimit(past: known, level: level).rate : nil
  }

  private static func rule(_ past: [Harm], limit: Double, _ alpha: Double) -> Rule {
    var pooled = Harm()
    for harm in past { pooled.add(harm) }
    guard pooled.events >= fewestEvents else {
      return .share(MixtureTest(limit: FailureLimit(configured: limit), alpha: alpha))
    }
    return .exposure(pooled.chances(forDay: limit))
  }

  /// What evidence is taken from: each launch as a whole trial, or the time that devices were watched.
  private enum Rule {
    case share(MixtureTest)
    case exposure([Double])
  }

  private struct Found {
    let reached: LookTest.Reached?
    let holds: Bool
    var stops: Bool { holds || reached != nil }

    init(
      _ rule: Rule, _ own: Harm, _ launched: Int, _ looks: (own: HarmLooks, counted: CountedLooks)?, _ alpha: Double
    ) {
      let none = Harm.spans.map { _ in 0.0 }
      let chances = if case .exposure(let chances) = rule { chances } else { none }
      func evidence(_ known: LookTest.Known) -> Double {
        switch rule {
        case .share(let test): test.evidenceAbove(Proportion(Int64(known.events), of: Int64(known.devices)))
        case .exposure: ExposureTest(permitted: known.permitted, alpha: alpha).evidenceAbove(known.events)
        }
      }
      let threshold = -log(alpha)
      guard let looks else {
        let known = LookTest.Known(events: own.events, devices: launched, permitted: own.expected(chances))
        (reached, holds) = (nil, evidence(known) >= threshold)
        return
      }
      let test = LookTest(
        [.init(looks: looks.own, chances: chances)], looks.counted, threshold: threshold, evidence: evidence)
      (reached, holds) = (test.reached, test.holds)
    }
  }
}

extension Harm {
  /// The chances at which so large a share has it within a day: half of them at once, half spread over the day as here, with one event
  /// more, spread evenly, so that no span is one in which nothing may happen.
  fileprivate func chances(forDay share: Double) -> [Double] {
    let own = chances(more: 1 / Double(Self.spans.count), within: LaunchCounts.watched)
    let whole = own.reduce(0) { $0 + log1p(-min($1, 0.999_999)) }
    guard whole < 0 else { return own }
    return own.scaled(by: HarmTest.asBefore * log1p(-share) / whole).withRestAtOnce(of: share)
  }
}

extension [Double] {
  /// Chances of so many times the hazard.
  func scaled(by factor: Double) -> [Double] { map { -expm1(factor * log1p(-Swift.min($0, 0.999_999))) } }

  /// What does not come as before may come in the first span.
  func withRestAtOnce(of limit: Double) -> [Double] {
    var chances = self
    chances[0] -= expm1((1 - HarmTest.asBefore) * log1p(-limit))
    return chances
  }
}
