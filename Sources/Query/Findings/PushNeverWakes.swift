import Console

extension FindingRule {
  /// A platform on which pushes are accepted and wake hardly anybody.
  static let pushNeverWakes = FindingRule(.pushNeverWakes) { evidence in
    evidence.pushesByPlatform.compactMap { platform, losses in
      let share = JudgedShare(losses.woke, level: evidence.level)
      guard losses.devices >= Diagnosis.fewest, share.of >= Diagnosis.fewest, share.isBelow(0.05) else { return nil }
      return found(
        .pushNeverWakes, .problem, ["platform": platform], devices: losses.devices,
        "silent pushes wake nobody on \(platform): the gateway took them, and \(share.words) woke the app",
        causes: causes(platform),
        check: "uptake push check on the payload, uptake app check on the app's project",
        share.evidence("pushes that woke the app", evidence.asking("push", platform: platform)))
    }
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
