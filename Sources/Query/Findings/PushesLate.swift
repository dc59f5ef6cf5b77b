import Console

extension FindingRule {
  /// Pushes that wake the app, and hours later.
  static let pushesLate = FindingRule(.pushesLate) { evidence in
    evidence.pushesByPlatform.compactMap { platform, losses in
      let woke = JudgedShare(losses.woke, level: evidence.level)
      guard losses.devices >= Diagnosis.fewest, woke.count >= Diagnosis.fewest,
        let median = losses.delays.quantile(0.5), median >= 3 * 3600
      else { return nil }
      return found(
        .pushesLate, .warning, ["platform": platform], devices: losses.devices,
        "pushes arrive late on \(platform): half of those that woke the app took longer than \(duration(seconds: Double(median)))",
        causes: PlatformSystem(platform).choose(
          apple: ["the priority is 5, as it must be, and the system waits for power and network"],
          android: ["messages are of normal priority, and wait while the device is in Doze"]),
        check:
          "for an urgent release on Android send priority HIGH, and seldom; uptake push check says what a message asks for",
        woke.evidence("pushes that woke the app", evidence.asking("push", platform: platform)))
    }
  }
}
