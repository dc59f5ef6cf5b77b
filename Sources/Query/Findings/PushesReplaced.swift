import Console

extension FindingRule {
  /// Pushes whose place a newer one took before they arrived.
  static let pushesReplaced = FindingRule(.pushesReplaced) { evidence in
    evidence.pushesByPlatform.compactMap { platform, losses in
      let share = JudgedShare(losses.replaced, level: evidence.level)
      guard evidence.areReceiptsReported(on: platform), losses.devices >= Diagnosis.fewest,
        share.of >= Diagnosis.fewest,
        share.isAbove(0.15)
      else { return nil }
      return found(
        .pushesReplaced, .warning, ["platform": platform], devices: losses.devices,
        "pushes replace one another on \(platform): a newer one took the place of \(share.words) before they arrived",
        causes: [
          "the system keeps one silent push for an app, and drops the older",
          "pushes are sent again before devices can have them", "one collapse key stands for different pushes",
        ], check: "wait longer between pushes to a device; one push is enough where the app asks what is new",
        share.evidence("pushes that a newer one replaced", evidence.asking("push", platform: platform)))
    }
  }
}
