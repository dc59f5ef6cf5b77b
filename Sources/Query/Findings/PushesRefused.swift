import Console
import Lifecycle

extension FindingRule {
  /// A platform on which the gateway refuses pushes: all of them, or those for the releases that are looked at.
  static let pushesRefused = ofPushes(.pushesRefused, refused)

  /// - Parameter releases: whose pushes these are; nil for all.
  private static func refused(
    _ platform: String, _ losses: PushLosses, _ evidence: DiagnosisEvidence, of releases: [String]?
  ) -> Diagnosis? {
    let own = releases.map { _ in Set(evidence.counting.targets.map(\.release)) }
    let late = evidence.recent.late.sums(platform, of: own)
    let both = evidence.refusedPushes(platform, isOwn: releases != nil)
    guard let newest = NewestShare(refused: losses, late: late, both: both, evidence) else { return nil }
    let (share, since) = (newest.share, newest.since)
    let refusals = evidence.refusals(platform, since: since, isOwn: releases != nil)
    let whose = releases.map { " for " + $0.map(named).joined(separator: " and ") } ?? ""
    let sent = since.map { " sent since \($0.words)" } ?? ""
    let last = share.count < share.of ? nil : NewestPushes.end(of: losses.newest.acceptedByHour)
    return found(
      .pushesRefused, share.isAbove(0.5) ? .problem : .warning, ["platform": platform], devices: share.devices,
      "the gateway refuses pushes\(whose) on \(platform): \(share.words)\(sent)"
        + (last.map { "; it took none since \($0.words)" } ?? "") + (refusals.words.map { "; it says \($0)" } ?? ""),
      causes: refusals.ordered(PlatformSystem(platform).choose(apple: RefusalCause.apns, android: RefusalCause.fcm)),
      check:
        "what the push server signs with, and the topic or project that it sends to; uptake breadcrumbs DEVICE prints the"
        + " gateway's reason beside each refused push",
      share.evidence("pushes that the gateway refused", command(platform, since, evidence, of: releases)))
  }
}

extension DiagnosisEvidence {
  /// - Parameter isOwn: only of pushes for the releases that are looked at.
  fileprivate func refusals(_ platform: String, since: Timestamp?, isOwn: Bool) -> PushRefusals {
    let first = (since ?? counting.extent.since ?? Timestamp(rawValue: .min)).seconds / 3600
    let own = Set(counting.targets.map(\.release))
    return PushRefusals(recent.refusals) {
      $0.platform == platform && $0.hour >= first && (!isOwn || own.contains($0.release))
    }
  }
}

extension RefusalCause {
  /// What APNs says, Expo and FCM on its behalf among it.
  fileprivate static let apns: [RefusalCause] = [
    .init(
      "the key or the certificate for APNs expired or was revoked, or the server's clock is wrong",
      [
        "ExpiredProviderToken", "InvalidProviderToken", "MissingProviderToken", "Forbidden", "BadCertificate",
        "THIRD_PARTY_AUTH_ERROR", "InvalidCredentials",
      ]),
    .init(
      "the topic is not the app's bundle id",
      ["DeviceTokenNotForTopic", "TopicDisallowed", "BadTopic", "MissingTopic"]),
    .init(
      "tokens are of the other environment (sandbox, production)",
      ["BadDeviceToken", "BadCertificateEnvironment", "BadEnvironmentKeyInToken"]),
    .init(
      "tokens are those of uninstalled apps", ["Unregistered", "ExpiredToken", "UNREGISTERED", "DeviceNotRegistered"]),
    .init(
      "the request is not one for a silent push, or too large",
      ["InvalidPushType", "BadPriority", "BadExpirationDate", "PayloadEmpty", "PayloadTooLarge", "MessageTooBig"]),
  ]
  fileprivate static let fcm: [RefusalCause] = [
    .init(
      "the service account's key expired or was revoked, or may not send",
      ["UNAUTHENTICATED", "PERMISSION_DENIED", "THIRD_PARTY_AUTH_ERROR", "InvalidCredentials"]),
    .init(
      "tokens are those of uninstalled apps", ["UNREGISTERED", "NOT_FOUND", "NotRegistered", "DeviceNotRegistered"]),
    .init(
      "tokens are of another Firebase project (sender mismatch)",
      ["SENDER_ID_MISMATCH", "MismatchSenderId", "MismatchSenderID"]),
    .init("the message is invalid or too large", ["INVALID_ARGUMENT", "MessageTooBig"]),
    .init(
      "more is sent than the quota allows",
      ["QUOTA_EXCEEDED", "RESOURCE_EXHAUSTED", "MessageRateExceeded"]),
  ]
}
