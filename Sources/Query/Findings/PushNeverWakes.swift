import Console
import Lifecycle

extension FindingRule {
  /// A platform on which pushes are accepted and wake hardly anybody, in the period or since some days.
  static let pushNeverWakes = ofPushes(.pushNeverWakes, neverWakes)

  /// - Parameter releases: whose pushes these are; nil for all.
  private static func neverWakes(
    _ platform: String, _ losses: PushLosses, _ evidence: DiagnosisEvidence, of releases: [String]?
  ) -> Diagnosis? {
    // Receipts are optional: without any nobody knows whether pushes wake the app.
    guard evidence.areReceiptsReported(on: platform), let newest = wakingNobody(losses, evidence) else { return nil }
    let (share, since) = (newest.share, newest.since)
    let whose = releases.map { " for " + $0.map(named).joined(separator: " and ") } ?? ""
    let others = releases == nil ? "" : "; those for other releases did"
    let sent = since.map { " sent since \($0.words)" } ?? ""
    let last = share.count > 0 ? nil : NewestPushes.end(of: losses.newest.wokeByHour)
    return found(
      .pushNeverWakes, .problem, ["platform": platform], devices: since == nil ? losses.devices : share.devices,
      "silent pushes\(whose) wake nobody on \(platform): the gateway took them, and \(share.words)\(sent) woke the app"
        + others + (last.map { "; it is so since \($0.words)" } ?? ""),
      causes: (releases == nil ? [] : ["they were built or sent otherwise than those for other releases"])
        + (since == nil ? [] : ["a build of the app, the push server or its key changed then"]) + causes(platform),
      check: "uptake push check on the payload, uptake app check on the app's project",
      share.evidence("pushes that woke the app", command(platform, since, evidence, of: releases)))
  }

  /// nil where pushes of the period, or the newest of them, wake more than hardly anybody, and where that is not certain.
  static func wakingNobody(_ losses: PushLosses, _ evidence: DiagnosisEvidence) -> NewestShare? {
    guard losses.devices >= Diagnosis.fewest else { return nil }
    let end = evidence.counting.cutOff - Push.Options().horizon
    return NewestShare(losses.newest.woke, whole: losses.woke, until: end, .below, wakesHardlyAnybody, evidence)
  }

  /// A share of pushes that wake the app below it is as good as none.
  static let wakesHardlyAnybody = 0.05

  private static func causes(_ platform: String) -> [String] {
    PlatformSystem(platform).choose(
      apple: [
        "content-available is missing, or the push shows something, or its type and priority are not background and 5",
        "a service between took them (FCM, Expo, OneSignal), and APNs did not: its key or certificate expired, the topic is not"
          + " the bundle id, or tokens are of the other environment",
        "the background mode remote-notification is missing", "background refresh is switched off on these devices",
      ],
      android: [
        "the message holds a notification: the system shows it, and the app is not called",
        "the app has no service for com.google.firebase.MESSAGING_EVENT, or another library's gets the messages",
      ]) + ["the app does not report pushReceived"]
  }
}

extension FindingRule {
  /// What prints a share of the pushes of a platform.
  ///
  /// - Parameter releases: whose pushes these are; nil for all.
  static func command(
    _ platform: String, _ since: Timestamp?, _ evidence: DiagnosisEvidence, of releases: [String]?
  ) -> ShellCommand {
    let command = evidence.asking("push", platform: platform, since: since)
    guard let releases else { return command }
    return releases.count == 1 ? command.argument(releases[0]) : command.option("by", "release")
  }
}
