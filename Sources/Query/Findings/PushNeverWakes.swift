import Console

extension FindingRule {
  /// A platform on which pushes are accepted and wake hardly anybody.
  static let pushNeverWakes = FindingRule(.pushNeverWakes) { evidence in
    let all = evidence.pushesByPlatform.compactMap { neverWakes($0, $1, evidence) }
    let told = Set(all.compactMap { $0.group.parts["platform"] })
    return all
      + evidence.ownPushesByPlatform.compactMap { platform, losses in
        told.contains(platform) ? nil : neverWakes(platform, losses, evidence, of: evidence.looked)
      }
  }

  /// - Parameter releases: whose pushes these are; nil for all.
  private static func neverWakes(
    _ platform: String, _ losses: PushLosses, _ evidence: DiagnosisEvidence, of releases: [String]? = nil
  ) -> Diagnosis? {
    let share = JudgedShare(losses.woke, level: evidence.level)
    guard losses.devices >= Diagnosis.fewest, share.of >= Diagnosis.fewest, share.isBelow(0.05) else { return nil }
    let whose = releases.map { " for " + $0.map(named).joined(separator: " and ") } ?? ""
    let others = releases == nil ? "" : "; those for other releases did"
    let command = evidence.asking("push", platform: platform)
    return found(
      .pushNeverWakes, .problem, ["platform": platform], devices: losses.devices,
      "silent pushes\(whose) wake nobody on \(platform): the gateway took them, and \(share.words) woke the app\(others)",
      causes: (releases == nil ? [] : ["they were built or sent otherwise than those for other releases"])
        + causes(platform),
      check: "uptake push check on the payload, uptake app check on the app's project",
      share.evidence(
        "pushes that woke the app",
        releases.map { $0.count == 1 ? command.argument($0[0]) : command.option("by", "release") } ?? command))
  }

  private static func causes(_ platform: String) -> [String] {
    platform == "ios"
      ? [
        "content-available is missing, or the push shows something, or its type and priority are not background and 5",
        "the background mode remote-notification is missing", "background refresh is switched off on these devices",
        "the app does not report pushReceived",
      ]
      : [
        "the message holds a notification: the system shows it, and the app is not called",
        "the app has no service for com.google.firebase.MESSAGING_EVENT, or another library's gets the messages",
        "the app does not report pushReceived",
      ]
  }
}
