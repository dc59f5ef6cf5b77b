import Lifecycle

/// One report of Capgo's plugin.
struct CapgoReport {
  private let report: JSONValue
  let action: String?

  init(_ report: JSONValue) {
    self.report = report
    action = report["action"]?.text
  }

  var hasDevice: Bool { report["device_id"]?.word != nil }
  var hasApp: Bool { report["app_id"]?.text != nil }

  /// Plugins before 7.17.0, and of the sixth series before 6.14.25, said `download_fail` where there was no update.
  var isOldPlugin: Bool {
    guard let version = report["plugin_version"]?.text else { return false }
    let parts = version.split { $0 == "." || $0 == "-" }.prefix(3).map { Int($0) ?? 0 } + [0, 0, 0]
    let isSix = parts[0] == 6 && (parts[1], parts[2]) >= (14, 25)
    return !isSix && (parts[0], parts[1], parts[2]) < (7, 17, 0)
  }

  /// nil where the stage is about a release and the report names none.
  func draft(_ meaning: CapgoAction.Meaning, _ action: String) -> Draft? {
    var draft = Draft(meaning.stage, device: report["device_id"]?.word?.lowercased() ?? "")
    draft.release = bundle("version_name")
    // Back to what the store gave, or still on it: nothing was updated, but that is what runs.
    let runsStoreBuild = store != nil && draft.release == store && [.applied, .confirmed].contains(draft.stage)
    if runsStoreBuild { draft.stage = .check }
    if draft.stage.releaseMeaning == .subject, draft.release == nil || draft.release == store { return nil }
    if draft.stage == .applied { draft.from = bundle("old_version_name") }
    draft.trigger = meaning.trigger
    if let word = said("trigger") ?? said("mechanism") { draft.say(trigger: word) }
    draft.at = at(draft.stage)
    draft.app = report["app_id"]?.text
    draft.channel = report[["defaultChannel", "channel"]]?.text
    draft.platform = report["platform"]?.text
    draft.osVersion = report["version_os"]?.word
    draft.appVersion = report["version_build"]?.word
    draft.sdkVersion = report["plugin_version"]?.word
    // Builds of developers are set apart like emulators: no question counts them unless asked to.
    draft.emulator = report["is_emulator"]?.bool == true || report["is_prod"]?.bool == false
    draft.durationMs = report["metadata"]?["duration_ms"]?.integer
    if meaning.isFailure { draft.reason = action }
    return draft
  }

  /// Plugins from 5.50, 6.50, 7.50 and 8.44 on call the build from the store by its own version, as `version_build`
  /// does. A bundle over the air that bears that name cannot be told from it in their reports. A plugin that does not say
  /// how old it is passes for a new one.
  private var namesStoreBuild: Bool {
    guard let version = report["plugin_version"]?.text else { return true }
    let parts = version.split { $0 == "." || $0 == "-" }.prefix(2).map { Int($0) ?? 0 } + [0, 0]
    switch parts[0] {
    case ..<5: return false
    case 5...7: return parts[1] >= 50
    case 8: return parts[1] >= 44
    default: return true
    }
  }

  /// Whether it is about a bundle over the air whose name the client gives to the build from the store, too: only such a
  /// bundle is ever downloaded.
  func isDownloadNamedLikeStoreBuild(_ meaning: CapgoAction.Meaning) -> Bool {
    switch meaning.stage {
    case .available, .downloadStarted, .downloadCompleted, .verified:
      namesStoreBuild && report["version_name"]?.word != "builtin" && store != nil && bundle("version_name") == store
    case .wakeStarted, .check, .ready, .applied, .confirmed, .pushSent, .pushReceived, .wakeFinished, .dismissed,
      .failed, .rolledBack, .crashed:
      false
    }
  }

  private var store: String? { Draft.storeBuild(report["version_build"]?.word) }

  /// A bundle's name; `builtin` is what came from the store, and behind a colon stands a file of the bundle.
  private func bundle(_ field: String) -> String? {
    guard let name = report[field]?.word.map({ String($0.prefix { $0 != ":" }) }) else { return nil }
    switch name {
    case "builtin": return store
    case "unknown", "": return nil
    case report["version_build"]?.word where namesStoreBuild: return store
    default: return name
    }
  }

  /// When it happened: of the end of a process Android says so as the next one starts, maybe days later.
  private func at(_ stage: Stage) -> Timestamp? {
    let reported = Draft.time(report["timestamp"])
    guard stage == .crashed, let ended = Draft.time(report["metadata"]?["exit_timestamp"]) else { return reported }
    return reported.map { min($0, ended) } ?? ended
  }

  /// Whether nobody saw the process that Android ended: above 200 it was neither in front nor visible.
  var endedOutOfSight: Bool { (report["metadata"]?["exit_importance"]?.number ?? 0) > 200 }

  private func said(_ name: String) -> String? { report["metadata"]?[name]?.text }
}
