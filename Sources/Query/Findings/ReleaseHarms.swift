import Console

extension FindingRule {
  /// What the verdict stops a release for, but for updates that do not stay: these have a rule of their own.
  static let releaseHarms = FindingRule(.releaseHarms) { evidence in
    evidence.verdicts.filter { $0.decision == .stop && $0.condition != .undone }.flatMap { verdict in
      let judged = evidence.filtered("verdict").option("channel", verdict.channel).argument(verdict.release)
      func listing(_ command: String) -> ShellCommand {
        evidence.filtered(command).option("channel", verdict.channel).argument(verdict.release)
      }
      return verdict.reasons.filter { $0.decision == .stop }.prefix(1).map { reason in
        let check = check(reason, listing)
        return found(
          .releaseHarms, .problem, ["channel": verdict.channel, "release": verdict.release],
          devices: reason.events ?? 0, "\(named(verdict.release)) on \(named(verdict.channel)): \(reason.sentence)",
          causes: reason.subject == .lateCrashes ? lateCauses : causes(reason.condition), check: check.words,
          with: check.command,
          Diagnosis.Evidence(
            what: "share of devices", share: reason.value, count: reason.events, of: reason.devices,
            command: judged))
      }
    }
  }

  private static func check(
    _ reason: Verdict.Reason, _ listing: (String) -> ShellCommand
  ) -> (words: String, command: ShellCommand?) {
    // Who is silent reports no failure that could be told apart.
    if reason.condition == .fallingSilent {
      return ("start it on a device that took it: does the app run, and do its events arrive?", nil)
    }
    // Suspects are found among first attempts, which went well.
    if reason.subject == .lateCrashes {
      return ("see what one of them went through: ", listing("devices").option("at", "crashed"))
    }
    return ("see which devices it fails on: ", listing("suspects"))
  }

  private static let lateCauses = [
    "it runs out of something in time, such as memory", "what a server sends to it has changed",
    "another build was given out under the same label", "a newer release left behind what this one cannot read",
  ]

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
