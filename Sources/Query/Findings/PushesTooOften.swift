import Console
import Lifecycle
import Statistics

extension FindingRule {
  /// Pushes that come so close behind one another that the system holds them back; and how far apart they should be.
  static let pushesTooOften = FindingRule(.pushesTooOften) { evidence in
    evidence.pushesByPlatform.compactMap { platform, losses in
      let (crowded, alone) = (
        JudgedShare(losses.crowded, level: evidence.level), JudgedShare(losses.alone, level: evidence.level)
      )
      guard crowded.of >= Diagnosis.fewest, alone.of >= Diagnosis.fewest,
        let least = alone.shown.value, crowded.isBelow(least - 0.2), alone.isAbove((crowded.shown.value ?? 1) + 0.2)
      else { return nil }
      let budget = JudgedShare(losses.overBudget, level: evidence.level)
      return found(
        .pushesTooOften, .warning, ["platform": platform], devices: losses.devices,
        "pushes come too often on \(platform): as the third or later within an hour \(crowded.words) arrived, alone \(alone.words)"
          + advice(losses, level: evidence.level),
        causes: [
          "the system delivers two or three silent pushes an hour, and fewer to apps that are seldom opened",
          "a job sends the same push again and again", "several releases are announced at once",
        ],
        check:
          "send one push for a release, and the next one no sooner than the interval after which nearly all arrive",
        crowded.evidence("arrived as the third or later within an hour", "uptake push --platform \(platform)"),
        alone.evidence("arrived as the only one in a day", "uptake push --platform \(platform)"),
        budget.evidence("lost as the third or later within an hour", "uptake push --platform \(platform)"))
    }
  }

  /// The shortest wait behind which nearly as many pushes arrive as behind the best.
  private static func advice(_ losses: PushLosses, level: Double) -> String {
    let shares = losses.byGap.map { JudgedShare($0, level: level) }
    let known = shares.indices.filter { shares[$0].of >= Diagnosis.fewest }
    guard let best = known.compactMap({ shares[$0].shown.value }).max(), best > 0,
      let first = known.first(where: { (shares[$0].shown.lo ?? 0) >= 0.8 * best && $0 > 0 })
    else { return "" }
    let gap = age(seconds: PushLosses.gaps[first - 1].rawValue / 1000)
    return "; with \(gap) or more to the nearest other push, \(figure(shares[first].shown)) do"
  }
}
