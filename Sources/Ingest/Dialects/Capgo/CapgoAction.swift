import Lifecycle

/// What the actions of Capgo's plugin mean.
enum CapgoAction {
  struct Meaning {
    var stage: Stage
    var trigger: Trigger?
    /// The action itself is the reason.
    var isFailure = false
  }

  /// - Parameter outOfSight: whether the process ended in the background.
  static func meaning(of action: String, outOfSight: Bool = false) -> Meaning? {
    if outOfSight, reclaims.contains(action) { return Meaning(stage: .check) }
    if let meaning = lifecycle[action] { return meaning }
    if failures.contains(action) { return Meaning(stage: .failed, isFailure: true) }
    if crashes.contains(action) { return Meaning(stage: .crashed, isFailure: true) }
    return signsOfLife.contains(action) ? Meaning(stage: .check) : nil
  }

  private static let lifecycle: [String: Meaning] = {
    var table: [String: Meaning] = [
      "get": Meaning(stage: .available), "download_manifest_start": Meaning(stage: .downloadStarted),
      "download_zip_start": Meaning(stage: .downloadStarted),
      "download_manifest_complete": Meaning(stage: .downloadCompleted),
      "download_zip_complete": Meaning(stage: .downloadCompleted),
      "download_complete": Meaning(stage: .downloadCompleted), "set_next": Meaning(stage: .ready),
      "set": Meaning(stage: .applied), "update_fail": Meaning(stage: .rolledBack, isFailure: true),
      "app_launch_ready": Meaning(stage: .confirmed),
      "app_moved_to_foreground": Meaning(stage: .check, trigger: .foreground),
    ]
    for tens in 0..<10 { table["download_\(tens)" + (tens == 0 ? "" : "0")] = Meaning(stage: .downloadStarted) }
    return table
  }()

  private static let failures: Set<String> = [
    "set_fail", "download_fail", "windows_path_fail", "canonical_path_fail", "directory_path_fail", "unzip_fail",
    "low_mem_fail", "insufficient_disk_space", "download_manifest_file_fail", "download_manifest_checksum_fail",
    "download_manifest_brotli_fail", "finish_download_fail", "manifest_path_fail", "decrypt_fail", "checksum_fail",
    "checksum_required", "keyMismatch", "cannotGetBundle", "backend_refusal", "blocked_by_server_url",
  ]

  /// Whether a failure names the bundle that runs, in place of the one that failed. On iOS checksums name the one at fault.
  static func namesWhatRuns(_ action: String, on platform: String?) -> Bool {
    unnamed.contains(action) || (platform == "ios" ? unnamedOnIOS : unnamedElsewhere).contains(action)
  }

  private static let unnamed: Set<String> = [
    "download_fail", "windows_path_fail", "canonical_path_fail", "directory_path_fail", "unzip_fail", "backend_refusal",
    "blocked_by_server_url",
  ]
  private static let unnamedOnIOS: Set<String> = ["insufficient_disk_space"]
  private static let unnamedElsewhere: Set<String> = ["checksum_fail", "checksum_required", "decrypt_fail"]

  private static let crashes: Set<String> = [
    "app_crash", "app_crash_native", "app_anr", "app_killed_low_memory", "app_killed_excessive_resource_usage",
    "app_initialization_failure", "app_launch_timeout",
  ]

  /// By which Android makes room. It does so with healthy apps in the background every day.
  private static let reclaims: Set<String> = ["app_killed_low_memory", "app_killed_excessive_resource_usage"]

  /// What only shows that the device is there, and what it runs.
  private static let signsOfLife: Set<String> = [
    "ping", "noNew", "reset", "app_launch_start", "app_moved_to_background", "setChannel", "getChannel",
    "NoChannelOrOverride", "channelMisconfigured", "disableAutoUpdate", "disableAutoUpdateToMajor",
    "disableAutoUpdateToMinor", "disableAutoUpdateToPatch", "disableAutoUpdateMetadata", "disableAutoUpdateUnderNative",
    "disablePlatformIos", "disablePlatformAndroid", "disablePlatformElectron", "disableDevBuild", "disableProdBuild",
    "disableEmulator", "disableDevice", "missingBundle", "rateLimited", "cannotUpdateViaPrivateChannel",
    "rate_limit_reached", "needPlanUpgrade", "InvalidIp", "customIdBlocked", "os_version_changed",
    "native_app_version_changed", "webview_dom_content_loaded", "webview_page_loaded",
  ]

  /// What is known and means nothing here.
  static let counted: Set<String> = [
    "delete", "uninstall", "app_memory_warning", "webview_javascript_error", "webview_unhandled_rejection",
    "webview_resource_error", "webview_render_process_gone", "webview_content_process_terminated",
    "webview_unresponsive", "webview_console_error", "webview_security_policy_violation",
    "webview_unclean_restart",
  ]
}
