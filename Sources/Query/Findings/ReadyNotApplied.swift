import Console
import Statistics

extension FindingRule {
  /// Devices that have the release and do not launch it, where somebody wants them to.
  static let readyNotApplied = FindingRule(.readyNotApplied) { evidence in
    evidence.funnels.compactMap { channel, release, funnel in
      guard evidence.isToGoOn(release, on: channel),
        let step = funnel.steps.first(where: { $0.from == "ready" && $0.to == "applied" })
      else { return nil }
      let share = JudgedShare(step.reached, of: step.entered, level: evidence.level)
      guard share.of >= Diagnosis.fewest, share.isBelow(0.5) else { return nil }
      let waiting = evidence.asking("devices").option("at", "ready").option("older", "72h").option("seen", "24h")
      let steps = evidence.filtered("funnel").option("channel", channel).argument(release)
      return found(
        .readyNotApplied, .problem, ["channel": channel, "release": release], devices: step.lost,
        "\(named(release)) is ready on devices and not applied: \(share.words) that had it three days ago run it",
        causes: [
          "it waits for a cold start, and the app is hardly ever ended: apply it on resume",
          "the client is told to apply by hand, and nobody does", "people do not open the app",
        ], check: "list devices that wait: ", with: waiting.argument(release),
        share.evidence("devices that were ready and applied it", steps))
    }
  }
}

extension DiagnosisEvidence {
  /// Neither halted, nor one that harms.
  fileprivate func isToGoOn(_ release: String, on channel: String) -> Bool {
    verdicts.allSatisfy {
      $0.release != release || $0.channel != channel || $0.decision != .stop && $0.state != .paused
    }
  }
}
