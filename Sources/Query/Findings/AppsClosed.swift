import Console

extension FindingRule {
  /// Pushes after which nothing but launches followed.
  static let appsClosed = FindingRule(.appsClosed) { evidence in
    evidence.pushesByPlatform.compactMap { platform, losses in
      let closed = JudgedShare(losses.closed, level: evidence.level)
      // Where pushes wake nobody, or nobody says whether they do, they tell nothing about the apps.
      guard evidence.areReceiptsReported(on: platform), losses.devices >= Diagnosis.fewest,
        closed.of >= Diagnosis.fewest,
        closed.isAbove(0.25), wakingNobody(losses, evidence) == nil, !newestLookLost(platform, evidence)
      else { return nil }
      return found(
        .appsClosed, closed.isAbove(0.4) ? .warning : .note, ["platform": platform], devices: losses.devices,
        "pushes meet closed apps on \(platform): after \(closed.words) nothing but launches followed",
        causes: [
          "people swipe the app away: until its next launch the system wakes it for nothing",
          "background refresh is switched off for the app, or the device saves power",
        ], check: "nothing wakes these devices: count on the launch, and let it look for updates right away",
        closed.evidence("pushes lost with no other wake-up after", evidence.asking("push", platform: platform)),
        JudgedShare(losses.unexplained, level: evidence.level)
          .evidence("pushes lost though a refresh woke the app after", evidence.asking("push", platform: platform)))
    }
  }

  /// Whether hardly any push for the releases that are looked at woke the app, certain or not.
  private static func newestLookLost(_ platform: String, _ evidence: DiagnosisEvidence) -> Bool {
    evidence.ownPushesByPlatform.contains { own in
      own.platform == platform && JudgedShare(own.losses.woke, level: evidence.level).looks(.below, wakesHardlyAnybody)
    }
  }
}
