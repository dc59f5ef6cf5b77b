import Console
import Statistics

extension FindingRule {
  /// What the verdict stops a release for, but for updates that do not stay: these have a rule of their own. Harm that is likely, and
  /// failures that no limit could call few, are a warning.
  static let releaseHarms = FindingRule(.releaseHarms) { evidence in
    evidence.verdicts.compactMap { verdict in
      let judged = evidence.filtered("verdict").option("channel", verdict.channel).argument(verdict.release)
      func listing(_ command: String) -> ShellCommand {
        evidence.filtered(command).option("channel", verdict.channel).argument(verdict.release)
      }
      return harm(verdict).map { reason, level in
        let check = check(reason, listing)
        return found(
          .releaseHarms, level, ["channel": verdict.channel, "release": verdict.release],
          devices: reason.events ?? 0, "\(named(verdict.release)) on \(named(verdict.channel)): \(reason.sentence)",
          causes: causes(reason.subject), check: check.words, with: check.command,
          Diagnosis.Evidence(
            what: "share of devices", share: reason.value, count: reason.events, of: reason.devices,
            command: judged))
      }
    }
  }

  private static func harm(_ verdict: Verdict) -> (reason: Verdict.Reason, level: Diagnosis.Level)? {
    if verdict.decision == .stop {
      return verdict.condition == .undone ? nil : verdict.reasons.first { $0.decision == .stop }.map { ($0, .problem) }
    }
    return verdict.isLikelyHarmful || verdict.reasons[0].isBeyondAnyLimit ? (verdict.reasons[0], .warning) : nil
  }

  private static func check(
    _ reason: Verdict.Reason, _ listing: (String) -> ShellCommand
  ) -> (words: String, command: ShellCommand?) {
    // Who is silent reports no failure that could be told apart.
    if reason.subject == .silence {
      return ("start it on a device that took it: does the app run, and do its events arrive?", nil)
    }
    // Suspects are found among first attempts, which went well.
    if reason.subject.isLate {
      let stage = reason.subject == .lateCrashes ? "crashed" : "rolledBack"
      return ("see what one of them went through: ", listing("devices").option("at", stage))
    }
    return ("see which devices it fails on: ", listing("suspects"))
  }

  private static func causes(_ subject: Verdict.Subject) -> [String] {
    switch subject {
    case .crashes: ["the release crashes where it is launched"]
    case .rollbacks: ["devices take the release back: it crashes, or does not confirm in time"]
    case .firstAttempts:
      [
        "its patch does not apply to what devices run", "downloads break off, or the package is wrong",
        "the server that it comes from answers with errors, or is not reached: then it is no fault of the release",
        "disks are full",
      ]
    case .lateCrashes:
      [
        "it runs out of something in time, such as memory", "what a server sends to it has changed",
        "another build was given out under the same label", "a newer release left behind what this one cannot read",
      ]
    case .lateRollbacks:
      [
        "it runs out of something in time, such as memory, and devices take it back",
        "what a server sends to it has changed", "somebody takes it back from devices, and did not halt it here",
      ]
    case .silence:
      [
        "the app does not start any more once it runs the release",
        "what is in the release sends events to another address, with another key, or not at all",
      ]
    case .publication, .data, .running, .speed, .objective: []
    }
  }
}

extension Verdict.Reason {
  /// Nobody set a limit, and it is likely above the highest that past releases can set.
  fileprivate var isBeyondAnyLimit: Bool {
    guard condition == .noLimit, let events, let devices, devices > 0 else { return false }
    return Proportion(Int64(events), of: Int64(devices)).isLikely(above: FailureLimit.highest)
  }
}
