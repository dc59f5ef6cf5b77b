internal import Console

extension Command {
  static let release = Command(
    "release", group: "DATA", purpose: "Publish, widen, halt, withdraw, list and show releases",
    discussion: """
      A release is a label of an app. A publication is that release on a channel from an instant on, to everybody at \
      once or in rollout steps. Time-to-update is measured from it, so register it, before or after its events come.
      """,
    seeAlso: ["releases", "help definitions"],
    subcommands: [.releasePublish, .releaseWiden, .releaseHalt, .releaseWithdraw, .releaseList, .releaseShow])
}
