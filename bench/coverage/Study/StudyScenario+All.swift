extension StudyScenario {
  /// The measured release comes on the fourth day and the next on the twelfth, a day before the end: a week can be seen,
  /// and the last events that count have time to arrive.
  public static let all = [
    Self("plain", "an ordinary release", lines()),
    Self(
      "lossy", "5 % of events lost, 20 % of requests retried, 10 % repeated, 15 % of devices off line at any time",
      lines("loss 5%", "retries 20%", "duplicates 10%", "offline 15%")),
    Self("clocks", "a third of the clocks wrong by minutes or hours", lines("wrong-clocks 35%")),
    Self(
      "churn", "five times the usual churn and installs, reinstalls under new ids, moves between two channels",
      lines("churn 50%", "installs 50%", "reinstalls 40%", "channel production 85%", "channel beta 15%", "switches 20%")
    ),
    Self("staged", "10 %, 50 % and 100 % of the devices over two days", lines(rollout: steps)),
    Self(
      "hidden-buckets", "the same rollout by clients that do not say their bucket", hidesBuckets: true,
      lines("bucket hidden", rollout: steps)),
    Self(
      "superseded", "the next release follows after four days", lines(next: "8d")),
    Self(
      "one-push", "a mandatory fix, announced by one silent push; a tenth of the devices gets none",
      lines("holdout 10%", rollout: "mandatory", pushes: "push production at 4d15m")),
    Self(
      "many-pushes", "six pushes within 75 minutes, one two days and one four days later",
      lines(
        "ios 70%",
        pushes: "push production at 4d times 6 every 15m expires 6h",
        "push production at 6d times 2 every 2d expires 12h")),
    Self("early", "asked 36 hours after publication", lines("days 6", publish: "4d12h", next: nil)),
    Self("midway", "asked 84 hours after publication", lines("days 8", publish: "4d12h", next: nil)),
    Self(
      "failing", "the patch fails on one device in seven and one download in twelve breaks off",
      lines("network-failures 8%", "apply cold-start", pushes: "patch-fails-on 14%")),
  ]

  /// Clients that do not say their bucket, in a rollout that stays at 20 %.
  public static let heldBack = Self(
    "held-back", "a fifth of the devices, and nobody knows which", hidesBuckets: true,
    lines("bucket hidden", rollout: "rollout 20%@0h"))

  private static let steps = "rollout 10%@0h,50%@24h,100%@48h"

  private static func lines(
    _ settings: String..., publish: String = "4d", rollout: String = "", next: String? = "12d", pushes: String...
  ) -> String {
    let before = ["days 13", "devices 400"] + settings + ["release \(release)"]
    let after = next.map { ["release 2.1.0", "publish \(channel) at \($0)"] } ?? []
    return (before + ["publish \(channel) at \(publish) \(rollout)"] + pushes + after).joined(separator: "\n")
  }
}
