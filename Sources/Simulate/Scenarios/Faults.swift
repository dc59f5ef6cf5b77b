/// One fault each, in an otherwise ordinary fortnight: what `uptake diagnose` should name first.
extension BuiltInScenario {
  private static func fault(
    _ name: String, _ about: String, _ lines: String..., first: String = "", release: String = "",
    push: String = "push production at 9d10h"
  ) -> Self {
    func indented(_ text: String) -> String { text.isEmpty ? "" : "\n  " + text }
    return Self(
      name: "fault-" + name,
      text: """
        name fault-\(name)
        about \(about)
        days 14
        devices 6000
        base 2.0.0
        channel production 85%
        channel beta 15%
        work-period 3h
        \(lines.joined(separator: "\n"))
        release 2.1.0
          publish beta at 1d9h
          publish production at 2d9h
          push production at 2d10h\(indented(first))
        release 2.2.0
          publish beta at 7d9h
          publish production at 8d9h rollout 20%@0h,100%@24h
          \(push)\(indented(release))
        """)
  }

  /// The same fortnight without a fault.
  static let noFault = fault("none", "Nothing is the matter.")

  static let faults: [Self] = [
    fault("refresh-ios", "The refresh task of the iOS app never runs.", "broken refresh ios"),
    fault("refresh-android", "The periodic work of the Android app never runs.", "broken refresh android"),
    fault("refresh-off", "Everybody switched background refresh off.", "refresh-off 100%"),
    fault("refresh-rare", "The Android app asks for work every 30 hours.", "work-period 30h"),
    fault("push-ios", "Silent pushes wake no iOS app: content-available is missing.", "broken pushes ios"),
    fault("push-android", "Silent pushes wake no Android app: they hold a notification.", "broken pushes android"),
    fault("push-dropped", "Nine of ten silent pushes vanish.", "broken pushes ios", "broken pushes android"),
    fault("push-refused", "The gateway refuses pushes to iOS: the key expired.", "broken gateway ios"),
    fault("taps", "Clients report launches as arrivals of pushes.", "broken taps"),
    fault(
      "too-often", "Eight pushes within two hours.", push: "push production at 9d10h times 8 every 15m expires 6h"),
    fault("replaced", "Each push is sent again right away.", push: "push production at 9d10h times 2 every 2m"),
    fault("closed", "Everybody swipes the app away after use.", "force-quitters 100%", "location 0%"),
    fault("system", "Devices with iOS 18.5 are offered nothing.", "broken system 18.5"),
    fault("system-android", "Devices with Android 14 are offered nothing.", "broken system 14"),
    fault("build", "The store build 5.3.1 is offered nothing.", "broken build 5.3.1"),
    fault("channel", "Devices of the beta report nothing any more.", "broken channel beta at 11d"),
    fault("step", "The server stays at 20% though the rollout was to go on.", release: "stuck-at 20%"),
    fault("apply", "What is ready is never applied.", "broken apply"),
    fault("overrun", "The release is too large for a wake-up.", release: "size 120MB"),
    fault("crash", "The release crashes on a quarter of the devices.", release: "crashes-on 25%"),
    fault(
      "crash-system", "The release crashes on half of the devices with Android 14.",
      release: "crashes-on 50% of system 14"),
    fault("patch", "The patch fails on four devices of ten.", release: "patch-fails-on 40%"),
  ]
}
