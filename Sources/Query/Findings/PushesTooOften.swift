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
        crowded.evidence("arrived as the third or later within an hour", evidence.asking("push", platform: platform)),
        alone.evidence("arrived as the only one in a day", evidence.asking("push", platform: platform)),
        budget.evidence("lost as the third or later within an hour", evidence.asking("push", platform: platform)))
    }
  }

  /// The shortest wait behind which a push gains nearly as much as behind the best; where that is not known yet, the one behind
  /// which nearly as many arrive.
  private static func advice(_ losses: PushLosses, level: Double) -> String {
    let gains = losses.gained.map { JudgedShare($0, level: level) }
    let minutes = Int(PushLosses.mostGained.rawValue / 60_000)
    let fewest = Diagnosis.fewest * minutes
    if let first = best(gains, fewest: fewest), let crowded = gains.firstIndex(where: { $0.of >= fewest }),
      crowded < first
    {
      return
        "; with \(gap(first)) or more to the nearest other push one wakes the app \(hours(gains[first].shown)) sooner than"
        + " it would run by itself, on average, with less than \(gap(crowded + 1)) \(hours(gains[crowded].shown)):"
        + " send one every \(gap(first)) at most"
    }
    let shares = losses.byGap.map { JudgedShare($0, level: level) }
    guard let first = best(shares, fewest: Diagnosis.fewest) else { return "" }
    return "; with \(gap(first)) or more to the nearest other push, \(figure(shares[first].shown)) do"
  }

  /// The first class, behind the narrowest, whose share is surely near the greatest; of those with pushes enough.
  private static func best(_ shares: [JudgedShare], fewest: Int) -> Int? {
    let known = shares.indices.filter { shares[$0].of >= fewest }
    guard let most = known.compactMap({ shares[$0].shown.value }).max(), most > 0 else { return nil }
    return known.first { $0 > 0 && (shares[$0].shown.lo ?? 0) >= 0.8 * most }
  }

  private static func gap(_ place: Int) -> String { age(seconds: PushLosses.gaps[place - 1].rawValue / 1000) }

  private static func hours(_ share: Double) -> String {
    duration(seconds: share * Double(PushLosses.mostGained.rawValue) / 1000)
  }

  private static func hours(_ share: Estimate) -> String {
    guard let value = share.value else { return "" }
    let limits = [share.lo, share.hi].compactMap(\.self).map(hours)
    return hours(value) + (limits.count == 2 ? " (\(limits[0])–\(limits[1]))" : "")
  }
}
