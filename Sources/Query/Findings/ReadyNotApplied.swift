import Console
import Statistics

extension FindingRule {
  /// Devices that have the release and do not launch it, where somebody wants them to.
  static let readyNotApplied = FindingRule(.readyNotApplied) { evidence in
    evidence.funnels.compactMap { channel, release, funnel in
      if let early = evidence.doesNotStart(release, on: channel, funnel) { return early }
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
  /// Devices have it, and hardly any says that it runs, at an age at which many said so of the release before: no day has to pass.
  fileprivate func doesNotStart(_ release: String, on channel: String, _ funnel: Funnel) -> Diagnosis? {
    let judged = verdicts.filter { $0.release == release && $0.channel == channel }
    func reached(_ stage: String) -> Int { funnel.stages.first { $0.stage == stage }?.reached ?? 0 }
    let share = JudgedShare(reached("applied"), of: reached("ready"), level: level)
    guard judged.contains(where: \.isHardlyRun), share.of >= Diagnosis.fewest,
      share.isBelow(0.1)
    else { return nil }
    let steps = filtered("funnel").option("channel", channel).argument(release)
    return FindingRule.found(
      .readyNotApplied, .problem, ["channel": channel, "release": release], devices: share.of - share.count,
      "\(named(release)) is ready on devices, and hardly any says that it runs: \(share.words), far fewer than at this age of the release"
        + " before",
      causes: [
        "it does not start: an app that ends before it can send anything tells nobody",
        "it runs, and its events go to another address, or are not sent", "the client no longer applies what is ready",
      ], check: "start it on a device that has it: does the app run, and do its events arrive?",
      share.evidence("devices that have it ready, and applied it", steps))
  }

  /// Neither halted, nor one that harms.
  fileprivate func isToGoOn(_ release: String, on channel: String) -> Bool {
    verdicts.allSatisfy {
      $0.release != release || $0.channel != channel || $0.decision != .stop && $0.state != .paused
    }
  }
}
