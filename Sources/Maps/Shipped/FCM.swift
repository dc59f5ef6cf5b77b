extension ShippedMap {
  static let fcm = [delivery("fcm", "JSON lines", format: "jsonl"), delivery("fcm-csv", "CSV", format: "csv")]

  private static func delivery(_ name: String, _ form: String, format: String) -> ShippedMap {
    let about = "Firebase Cloud Messaging: the delivery data of BigQuery as \(form)"
    let refusals = [
      "MISSING_REGISTRATIONS", "UNAUTHORIZED_REGISTRATION", "MESSAGE_RECEIVED_INTERNAL_ERROR", "MISMATCH_SENDER_ID",
      "QUOTA_EXCEEDED", "INVALID_REGISTRATION", "INVALID_PACKAGE_NAME", "INVALID_APNS_CREDENTIAL", "INVALID_PARAMETERS",
      "PAYLOAD_TOO_LARGE", "AUTHENTICATION_ERROR", "INVALID_TTL",
    ]
    func pairs(_ word: (String) -> String) -> String {
      refusals.map { "  [\"\($0)\", \"\(word($0))\"]," }.joined(separator: "\n")
    }
    return ShippedMap(
      name, about,
      """
      # Firebase Cloud Messaging: rows of firebase_messaging.data in BigQuery. The device is the app's Firebase installation
      # id: let the app name it as its device in all other events. A label (fcmOptions.analyticsLabel) names the release.
      about = "\(about)"
      format = "\(format)"

      # What is sent to a topic is there once more, without a device.
      [[only]]
      path = "instance_id"

      [event]
      device = "instance_id"
      app = "app_name"
      push = "message_id"
      release = "analytics_label"

      [event.id]
      join = ["instance_id", "message_id", "event"]

      [event.stage]
      path = "event"
      values = [
        ["MESSAGE_ACCEPTED", "pushSent"], ["MESSAGE_DELIVERED", "pushReceived"],
      \(pairs { _ in "pushSent" })
      ]

      [event.outcome]
      path = "event"
      unlisted = "empty"
      values = [
        ["MESSAGE_ACCEPTED", "accepted"],
      \(pairs { _ in "rejected" })
      ]

      [event.reason]
      path = "event"
      unlisted = "empty"
      values = [
      \(pairs { $0 })
      ]

      [event.at]
      path = "event_timestamp"
      time = "2006-01-02 15:04:05 UTC"

      [event.platform]
      path = "sdk_platform"
      values = [["IOS", "ios"], ["ANDROID", "android"], ["WEB", "web"]]
      """)
  }
}
