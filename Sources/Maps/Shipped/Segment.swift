extension ShippedMap {
  static let segment = ShippedMap(
    "segment", "Segment (Twilio): track calls as JSON lines, as its storage destinations write them",
    lifecycle(
      about: "Segment (Twilio): track calls as JSON lines, as its storage destinations write them",
      """
      # Segment: messages as JSON lines (AWS S3 and other storage destinations, RudderStack likewise).
      [[only]]
      path = "type"
      is = ["track"]

      [event]
      device = ["context.device.id", "anonymousId"]
      app = "context.app.namespace"
      id = "messageId"
      at = ["originalTimestamp", "timestamp"]
      received = "receivedAt"
      trigger = "properties.trigger"
      channel = "properties.channel"
      reason = "properties.reason"
      osVersion = "context.os.version"
      appVersion = "context.app.version"
      sdkVersion = "context.library.version"
      deviceModel = "context.device.model"

      [event.network]
      path = "context.network.wifi"
      values = [["true", "wifi"], ["false", "cellular"]]

      [event.platform]
      path = "context.os.name"
      values = [["iOS", "ios"], ["iPhone OS", "ios"], ["iPadOS", "ios"], ["Android", "android"]]
      """, version: "context.app.version"))

  /// What Segment's mobile clients and PostHog's report by themselves: the same three events.
  static func lifecycle(about: String, _ head: String, version: String) -> String {
    let lines = head.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    return """
      \(lines[0])
      # What its clients report by themselves says when a build came from the store. Updates over the air are told by events of
      # your own with a property "release": put their names into the list.
      about = "\(about)"
      format = "jsonl"

      \(lines[1])

      [event.stage]
      path = "event"
      values = [
        ["Application Installed", "check"], ["Application Opened", "check"], ["Application Updated", "applied"],
        ["Update Check", "check"], ["Update Available", "available"],
        ["Update Download Started", "downloadStarted"], ["Update Downloaded", "downloadCompleted"],
        ["Update Ready", "ready"], ["Update Applied", "applied"], ["Update Confirmed", "confirmed"],
        ["Update Failed", "failed"], ["Update Rolled Back", "rolledBack"],
      ]

      # A new build from the store runs as it came; else what the app names. An opening that names no release does not say what runs.
      [[event.release]]
      path = ["properties.version", "\(version)"]
      prefix = "store:"
      when = "event"
      is = ["Application Installed", "Application Updated"]
      [[event.release]]
      path = "properties.release"

      [event.from]
      path = "properties.previous_version"
      prefix = "store:"
      """
  }
}
