import Console

extension FindingRule {
  /// What the verdict stops a release for.
  static let releaseHarms = FindingRule(.releaseHarms) { evidence in
    evidence.verdicts.filter { $0.decision == .stop }.flatMap { verdict in
      let judged = evidence.filtered("verdict").option("channel", verdict.channel).argument(verdict.release)
      let suspects = evidence.filtered("suspects").option("channel", verdict.channel).argument(verdict.release)
      return verdict.reasons.filter { $0.decision == .stop }.prefix(1).map { reason in
        // Who is silent reports no failure that could be told apart.
        let isSilent = reason.condition == .fallingSilent
        return found(
          .releaseHarms, .problem, ["channel": verdict.channel, "release": verdict.release],
          devices: reason.events ?? 0, "\(named(verdict.release)) on \(named(verdict.channel)): \(reason.sentence)",
          causes: causes(reason.condition),
          check: isSilent
            ? "start it on a device that took it: does the app run, and do its events arrive?"
            : "see which devices it fails on: ", with: isSilent ? nil : suspects,
          Diagnosis.Evidence(
            what: "share of devices", share: reason.value, count: reason.events, of: reason.devices,
            command: judged))
      }
    }
  }

  private static func causes(_ condition: Verdict.Condition) -> [String] {
    switch condition {
    case .crashing: ["the release crashes where it is launched"]
    case .rollingBack: ["devices take the release back: it crashes, or does not confirm in time"]
    case .failing:
      [
        "its patch does not apply to what devices run", "downloads break off, or the package is wrong",
        "the server that it comes from answers with errors, or is not reached: then it is no fault of the release",
        "disks are full",
      ]
    case .fallingSilent:
      [
        "the app does not start any more once it runs the release",
        "what is in the release sends events to another address, with another key, or not at all",
      ]
    case .replaced, .scheduled, .undone, .halted, .stale, .noLimit, .belowObjective, .slow, .unsettled, .healthy: []
    }
  }
}
