import Lifecycle

/// What people type who do not know our word yet: suggested where a word is refused, and read nowhere.
enum Synonym {
  /// Our own word for it.
  static func find(_ word: String, for field: Field) -> String? {
    guard word.utf8.count <= 40 else { return nil }
    switch field {
    case .stage: return (LooseStage.find(word)?.stage ?? stages[letters(of: word)])?.rawValue
    case .trigger: return (Trigger(anyWord: word) ?? triggers[letters(of: word)])?.rawValue
    case .outcome: return outcomes[letters(of: word)]?.rawValue
    default: return nil
    }
  }

  private static let stages: [String: Stage] = [
    "apply": .applied, "applying": .applied, "launched": .applied, "launch": .applied, "activated": .applied,
    "running": .applied, "updated": .applied, "download": .downloadStarted, "downloadbegan": .downloadStarted,
    "downloadprogress": .downloadStarted, "errored": .failed, "failure": .failed, "fail": .failed,
    "reverted": .rolledBack, "healthy": .confirmed, "checking": .check, "offered": .available,
  ]

  /// Those that `Trigger(anyWord:)` does not take for a trigger.
  private static let triggers: [String: Trigger] = [
    "silent": .silentPush, "silentnotification": .silentPush, "notification": .silentPush, "apns": .silentPush,
    "fcm": .silentPush, "bg": .bgRefresh, "refresh": .bgRefresh, "fetch": .bgRefresh, "scheduled": .bgRefresh,
    "cron": .bgRefresh, "fg": .foreground, "user": .foreground, "open": .foreground, "app": .foreground,
    "start": .foreground, "active": .foreground, "geofence": .location, "gps": .location, "none": .unknown,
  ]

  private static let outcomes: [String: Outcome] = [
    "sent": .accepted, "success": .accepted, "succeeded": .accepted, "ok": .accepted, "delivered": .accepted,
    "refused": .rejected, "updated": .newData, "nothing": .noData, "error": .failed, "timeout": .expired,
    "timedout": .expired,
  ]
}
