import Lifecycle

/// A breadcrumb that tells of the life of an update.
///
/// Shapes differ: Swiftpatch's clients put the mechanism into `type` and the stage into the data, others name the stage in
/// the category (`ota.ready`), in the data, or as the whole message. Words like "ready" and "error" are common, so
/// something must also say that the breadcrumb is about updates: its category, a mechanism, or a release in the data.
struct LifecycleCrumb {
  var stage: Stage
  var trigger: Trigger?
  private var reason: String?
  private let data: JSONValue

  init?(_ crumb: JSONValue) {
    data = crumb["data"] ?? .null
    let category = crumb["category"]?.text ?? ""
    let named = data[["trigger", "mechanism", "ota.mechanism", "type"]]?.text
    let mechanism = [crumb["type"]?.text, named].compactMap { $0.flatMap(Self.mechanism) }.first
    let isAboutUpdates = Self.isAboutUpdates(category)
    guard isAboutUpdates || mechanism != nil || data[Self.releaseKeys]?.word != nil else { return nil }
    let saidInData = data[Self.stageKeys]?.text
    let candidates = [saidInData, isAboutUpdates || mechanism != nil ? crumb["message"]?.text : nil]
    let inCategory = category.split(separator: ".").last.map(String.init)
    if let word = (candidates + [isAboutUpdates ? inCategory : nil]).lazy.compactMap({ $0.flatMap(LooseStage.find) })
      .first
    {
      (stage, reason) = (word.stage, word.reason)
    } else if let mechanism, saidInData == nil {
      stage = Self.beginning(of: mechanism)
    } else {
      return nil
    }
    trigger = mechanism ?? named.map(Trigger.init(loosely:))
  }

  /// Puts what the data say into the draft.
  func describe(_ draft: inout Draft) {
    if let device = data[["device", "deviceId", "device_id", "installId"]]?.word { draft.device = device }
    draft.release = Self.release(data)
    draft.channel = data[["channel", "ota.channel"]]?.word ?? draft.channel
    draft.from = data[["from", "fromRelease", "previousHash", "from_version"]]?.word
    draft.reason = data[["reason", "errorMessage", "error", "error.type"]]?.word ?? reason
    draft.push = data[["push", "pushId", "push_id"]]?.word
    draft.id = data[["id", "eventId"]]?.word
    draft.durationMs = data[["durationMs", "duration_ms", "duration"]]?.integer
    draft.bytes = data[["bytes", "sizeBytes", "size_bytes"]]?.integer
    draft.network = data["network"]?.text
    draft.outcome = data[["outcome", "result"]]?.text.flatMap(Outcome.init(rawValue:))
    draft.appState = data[["appState", "app_state"]]?.text.flatMap(AppState.init(rawValue:))
    draft.appIsStarting = data[["appIsStarting", "app_is_starting"]]?.bool
    draft.bucket = data["bucket"]?.integer
  }

  private static let stageKeys = [
    "stage", "event", "eventType", "event_type", "swiftpatch_event", "ota.stage", "lifecycle", "status",
  ]

  /// Nothing but an update has these.
  private static let releaseKeys = [
    "release", "releaseHash", "release_hash", "swiftpatch_releaseHash", "ota.release", "ota.update_id", "updateId",
    "update_id", "releaseId", "release_id", "bundleId", "bundle_id",
  ]

  private static func release(_ data: JSONValue) -> String? {
    data[releaseKeys]?.word ?? data[["hash", "label", "to", "to_version"]]?.word
      ?? data["update"]?[["hash", "id", "label", "version"]]?.word
  }

  private static func isAboutUpdates(_ category: String) -> Bool {
    category.lowercased().split { !$0.isLetter }.contains { categories.contains(String($0)) }
  }

  static let categories: Set<String> = [
    "ota", "swiftpatch", "codepush", "uptake", "update", "updates", "updater", "capgo", "shorebird", "rollout",
    "appupdate",
  ]

  /// A word that names a mechanism, and could hardly mean anything else.
  private static func mechanism(_ word: String) -> Trigger? {
    let trigger = Trigger(loosely: word)
    return trigger == .unknown || ["push", "background", "launch", "resume", "manual"].contains(word.lowercased())
      ? nil : trigger
  }

  /// What a breadcrumb tells that names nothing but its mechanism.
  private static func beginning(of mechanism: Trigger) -> Stage {
    switch mechanism {
    case .silentPush: .pushReceived
    case .bgRefresh, .location: .wakeStarted
    case .foreground, .unknown: .check
    }
  }
}
