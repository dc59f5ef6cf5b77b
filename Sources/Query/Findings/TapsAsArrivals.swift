import Console

extension FindingRule {
  /// Wake-ups that clients put down to a push while the user was opening the app. A note where no push is known to be sent: then
  /// a few taps that clients cannot tell from arrivals are all there is, and no number of deliveries is wrong for them.
  static let tapsAsArrivals = FindingRule(.tapsAsArrivals) { evidence in
    evidence.pushesByPlatform.compactMap { platform, losses in
      let share = JudgedShare(losses.atLaunch, level: evidence.level)
      guard losses.devices >= Diagnosis.fewest, share.of >= Diagnosis.fewest, share.isAbove(0.1) else { return nil }
      return found(
        .tapsAsArrivals, losses.pushes > 0 ? .warning : .note, ["platform": platform], devices: losses.devices,
        "taps are counted as arrivals on \(platform): at \(share.words) wake-ups by a push the user was opening the app",
        causes: [
          (PlatformSystem(platform) == .apple ? "iOS calls one method for" : "the client reports alike")
            + " a push that arrives and one that is tapped"
            + (PlatformSystem(platform) == .apple ? ", and the client does not tell them apart" : ""),
          "pushes that were held until the launch are reported as wake-ups",
        ],
        check:
          "send appState and appIsStarting with pushReceived, and leave trigger out: then taps are told from arrivals",
        share.evidence("wake-ups by a push at a launch", evidence.asking("push", platform: platform)))
    }
  }
}
