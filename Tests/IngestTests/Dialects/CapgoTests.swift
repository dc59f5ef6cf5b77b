import Lifecycle
import Testing

@testable import Ingest

/// Reports of Capgo's plugin.
extension ForeignReportTests {
  static func capgo(_ action: String, _ more: String = "") -> String {
    """
    {"app_id":"com.example.app","device_id":"AB-1","platform":"ios","version_name":"1.2.0","old_version_name":"1.1.0",\
    "version_build":"3.0.1","version_os":"17.4","plugin_version":"7.20.0","is_emulator":false,"is_prod":true,\
    "action":"\(action)","timestamp":1709542800250\(more)}
    """
  }

  /// Cap-go/capacitor-updater, `getBundleInfo` in android/src/main/java/ee/forgr/capacitor_updater/CapgoUpdater.java and
  /// in ios/Sources/CapacitorUpdaterPlugin/CapgoUpdater.swift: `BundleInfo(ID_BUILTIN, versionBuild, …)` in 5.50.1, 7.50.1 and
  /// 8.44.0, where 7.43.5 and 8.43.11 have null, which is read as "builtin". `set` and `set_next` go out for it as well.
  /// Its `saveBundleInfo` lets a bundle over the air have any name, also that one.
  static let capgoStoreBuilds: [Row] = {
    func named(_ action: String, _ plugin: String, _ name: String = "3.0.1", from: String = "1.1.0") -> String {
      capgo(action).replacing("\"1.2.0\"", with: "\"\(name)\"").replacing("\"1.1.0\"", with: "\"\(from)\"")
        .replacing("7.20.0", with: plugin)
    }
    let at = "at 2024-03-04T09:00:00.250Z"
    let news = ["5.50.1", "6.50.2", "7.50.0-alpha.1", "8.44.0", "8.51.14", "9.0.0"].flatMap { plugin in
      [
        Row(
          name: "the store's build starts, \(plugin)", target: "/stats", body: named("app_launch_ready", plugin),
          events: ["check store:3.0.1 unknown \(at)"]),
        Row(
          name: "back to it, \(plugin)", target: "/stats", body: named("set", plugin),
          events: ["check store:3.0.1 unknown \(at)"]),
        Row(
          name: "from it, \(plugin)", target: "/stats", body: named("set", plugin, "1.2.0", from: "3.0.1"),
          events: ["applied 1.2.0 unknown from store:3.0.1 \(at)"]),
        Row(
          name: "it is staged, \(plugin)", target: "/stats", body: named("set_next", plugin), dropped: ["no_release": 1]
        ),
        Row(
          name: "a bundle of its name is downloaded, \(plugin)", target: "/stats",
          body: named("download_complete", plugin),
          dropped: ["named_like_store_build": 1]),
      ]
    }
    let unversioned = Row(
      name: "the store's build starts, a plugin without a version", target: "/stats",
      body: named("app_launch_ready", "7.20.0").replacing("\"plugin_version\":\"7.20.0\",", with: ""),
      events: ["check store:3.0.1 unknown \(at)"])
    // Their word for the store's build is "builtin": whatever else has the number is a bundle over the air.
    let olds = ["4.60.0", "5.49.9", "6.43.0", "7.43.5", "8.43.11"].map { plugin in
      Row(
        name: "a bundle with the store's number, \(plugin)", target: "/stats", body: named("set", plugin),
        events: ["applied 3.0.1 unknown from 1.1.0 \(at)"])
    }
    return news + [unversioned] + olds
  }()

  /// Cap-go/capacitor-updater 8.51.14: `sendStats` with nothing but an action names `getCurrentBundle()`, and so do
  /// `endBackGroundTaskWithNotif` and the plugin's `download` (`current.getVersionName()`): android/src/main/java/ee/forgr/
  /// capacitor_updater/CapgoUpdater.java (finishDownload, unzip) and CapacitorUpdaterPlugin.java; ios/Sources/
  /// CapacitorUpdaterPlugin/CapgoUpdater.swift and CapacitorUpdaterPlugin.swift, where checksums name the bundle at fault.
  static let capgoBlame: [Row] = {
    let at = "at 2024-03-04T09:00:00.250Z"
    func report(_ action: String, _ platform: String, _ bundle: String) -> String {
      capgo(action).replacing("\"1.2.0\"", with: "\"\(bundle)\"").replacing("\"ios\"", with: "\"\(platform)\"")
    }
    let android = [
      "checksum_fail", "checksum_required", "decrypt_fail", "unzip_fail", "windows_path_fail", "canonical_path_fail",
      "directory_path_fail", "download_fail",
    ].map { ($0, "android") }
    let ios = ["unzip_fail", "windows_path_fail", "canonical_path_fail", "insufficient_disk_space", "download_fail"]
    let running = android + ios.map { ($0, "ios") }
    return running.flatMap { action, platform in
      [
        Row(
          name: "\(action) on \(platform) is of the bundle under way", target: "/stats",
          body: "[\(report("download_0", platform, "1.3.0")),\(report(action, platform, "1.2.0"))]",
          events: ["downloadStarted 1.3.0 unknown \(at)", "failed 1.3.0 unknown because \(action) \(at)"]),
        Row(
          name: "\(action) on \(platform) with nothing under way is no failure of what runs", target: "/stats",
          body: report(action, platform, "1.2.0"), events: ["check - unknown \(at)"],
          dropped: ["failure_of_unknown": 1]),
      ]
    } + [
      Row(
        name: "what has been staged is not under way", target: "/stats",
        body: "[\(report("download_0", "ios", "1.2.0")),\(report("set_next", "ios", "1.2.0")),"
          + "\(report("download_fail", "ios", "1.1.0"))]",
        events: ["downloadStarted 1.2.0 unknown \(at)", "ready 1.2.0 unknown \(at)", "check - unknown \(at)"],
        dropped: ["failure_of_unknown": 1]),
      Row(
        name: "one failure is reported under two names", target: "/stats",
        body: "[\(report("download_0", "android", "1.3.0")),\(report("checksum_fail", "android", "1.2.0")),"
          + "\(report("download_fail", "android", "1.2.0"))]",
        events: [
          "downloadStarted 1.3.0 unknown \(at)", "failed 1.3.0 unknown because checksum_fail \(at)",
          "check - unknown \(at)",
        ], dropped: ["failure_of_unknown": 1]),
      Row(
        name: "iOS names the bundle whose checksum is wrong", target: "/stats",
        body: report("checksum_fail", "ios", "1.3.0"), events: ["failed 1.3.0 unknown because checksum_fail \(at)"]),
      Row(
        name: "what could not be set is named", target: "/stats", body: report("set_fail", "android", "1.3.0"),
        events: ["failed 1.3.0 unknown because set_fail \(at)"]),
    ]
  }()

  /// Cap-go/capacitor-updater 8.51.14, android/…/AndroidAppExitReporter.java `buildApplicationExitMetadata`: texts, of the process
  /// before, as the next one starts. Android's `RunningAppProcessInfo`: 100 in front, 200 visible, 230 heard, 400 cached.
  static let capgoExits: [Row] = {
    func ended(_ action: String, _ importance: String) -> String {
      capgo(action, #","metadata":{"exit_timestamp":"1709535600000","exit_importance":"\#(importance)"}"#)
    }
    let (then, now) = ("at 2024-03-04T07:00:00Z", "at 2024-03-04T09:00:00.250Z")
    return [
      Row(
        name: "a crash in front", target: "/stats", body: ended("app_crash", "100"),
        events: ["crashed 1.2.0 unknown because app_crash \(then)"]),
      Row(
        name: "a crash that nobody saw", target: "/stats", body: ended("app_crash_native", "400"),
        events: ["crashed 1.2.0 unknown because app_crash_native \(then)"]),
      Row(
        name: "out of memory in front", target: "/stats", body: ended("app_killed_low_memory", "200"),
        events: ["crashed 1.2.0 unknown because app_killed_low_memory \(then)"]),
      Row(
        name: "out of memory, nobody knows where", target: "/stats", body: capgo("app_killed_low_memory"),
        events: ["crashed 1.2.0 unknown because app_killed_low_memory \(now)"]),
      Row(
        name: "the room was needed", target: "/stats", body: ended("app_killed_low_memory", "400"),
        events: ["check 1.2.0 unknown \(now)"]),
      Row(
        name: "too busy in the background", target: "/stats", body: ended("app_killed_excessive_resource_usage", "230"),
        events: ["check 1.2.0 unknown \(now)"]),
      Row(
        name: "a clock that was ahead", target: "/stats",
        body: ended("app_crash", "100").replacing("1709535600000", with: "1809535600000"),
        events: ["crashed 1.2.0 unknown because app_crash \(now)"]),
    ]
  }()

  static let capgo = [
    Row(
      name: "a download begins", target: "/stats", body: capgo("download_0"),
      events: ["downloadStarted 1.2.0 unknown at 2024-03-04T09:00:00.250Z"], says: #"{"status":"ok"}"#),
    Row(
      name: "half of it", target: "/stats", body: capgo("download_50"),
      events: ["downloadStarted 1.2.0 unknown at 2024-03-04T09:00:00.250Z"]),
    Row(
      name: "it is there", target: "/stats", body: capgo("download_complete"),
      events: ["downloadCompleted 1.2.0 unknown at 2024-03-04T09:00:00.250Z"]),
    Row(
      name: "it is staged", target: "/stats", body: capgo("set_next", #","metadata":{"trigger":"bgRefresh"}"#),
      events: ["ready 1.2.0 bgRefresh at 2024-03-04T09:00:00.250Z"]),
    Row(
      name: "it is applied", target: "/stats", body: capgo("set"),
      events: ["applied 1.2.0 unknown from 1.1.0 at 2024-03-04T09:00:00.250Z"]),
    Row(
      name: "it was taken back", target: "/stats", body: capgo("update_fail"),
      events: ["rolledBack 1.2.0 unknown because update_fail at 2024-03-04T09:00:00.250Z"]),
    Row(
      name: "a file of it is broken", target: "/stats",
      body: capgo("download_manifest_checksum_fail").replacing("\"1.2.0\"", with: "\"1.2.0:main.js\""),
      events: ["failed 1.2.0 unknown because download_manifest_checksum_fail at 2024-03-04T09:00:00.250Z"]),
    Row(
      name: "the app is opened", target: "/stats",
      body: capgo("app_moved_to_foreground").replacing("\"1.2.0\"", with: "\"builtin\""),
      events: ["check store:3.0.1 foreground at 2024-03-04T09:00:00.250Z"]),
    Row(
      name: "the build of the store starts well", target: "/stats",
      body: capgo("app_launch_ready").replacing("\"1.2.0\"", with: "\"builtin\""),
      events: ["check store:3.0.1 unknown at 2024-03-04T09:00:00.250Z"]),
    Row(
      name: "back to the build of the store", target: "/stats",
      body: capgo("set").replacing("\"1.2.0\"", with: "\"builtin\""),
      events: ["check store:3.0.1 unknown at 2024-03-04T09:00:00.250Z"]),
    Row(
      name: "a download of nobody knows what", target: "/stats",
      body: capgo("download_0").replacing("\"1.2.0\"", with: "\"unknown\""), dropped: ["no_release": 1]),
    Row(
      name: "a policy, on a channel", target: "/stats", body: capgo("disableDevBuild", #","defaultChannel":"beta""#),
      events: ["check 1.2.0 unknown at 2024-03-04T09:00:00.250Z on beta"]),
    Row(
      name: "an old plugin that found nothing to download", target: "/stats",
      body: capgo("download_fail").replacing("7.20.0", with: "7.16.9"), dropped: ["old_download_fail": 1]),
    Row(
      name: "the sixth series knows better", target: "/stats",
      body: "[\(capgo("download_0")),\(capgo("download_fail"))]".replacing("7.20.0", with: "6.14.25"),
      events: [
        "downloadStarted 1.2.0 unknown at 2024-03-04T09:00:00.250Z",
        "failed 1.2.0 unknown because download_fail at 2024-03-04T09:00:00.250Z",
      ]),
    Row(
      name: "a deletion", target: "/stats", body: capgo("delete"), says: "ok", dropped: ["action_delete": 1]),
    Row(
      name: "an action of the future", target: "/stats", body: capgo("teleport"), dropped: ["action_other": 1]),
    Row(
      name: "a list, item by item", target: "/stats",
      body: "[\(capgo("set_next")),\(capgo("set").replacing("AB-1", with: "")),{},\(capgo("ping"))]",
      events: [
        "ready 1.2.0 unknown at 2024-03-04T09:00:00.250Z", "check 1.2.0 unknown at 2024-03-04T09:00:00.250Z",
      ],
      says: """
        {"status":"ok","results":[{"status":"ok","index":0},{"status":"error","index":1,"error":"missing_device_id"},\
        {"status":"error","index":2,"error":"missing_action"},{"status":"ok","index":3}]}
        """, dropped: ["missing_device_id": 1, "missing_action": 1]),
    Row(
      name: "an item that breaks the contract", target: "/stats",
      body: "[\(capgo("set").replacing("1709542800250", with: "5"))]", status: 200,
      says: #"{"status":"error","index":0,"error":"bad_time"}"#),
    Row(
      name: "two apps", target: "/stats",
      body: "[\(capgo("set")),\(capgo("set").replacing("com.example.app", with: "other"))]", status: 400,
      says: #""error":"malformed""#),
    Row(
      name: "one bad report", target: "/stats", body: "{}", status: 400, says: "missing_action",
      dropped: ["missing_action": 1]),
    Row(name: "an empty list", target: "/stats", body: "[]", says: #"{"status":"ok","results":[]}"#),
    Row(name: "no JSON", target: "/stats", body: "[", status: 400, says: "malformed"),
  ]

  @Test func everyCapgoActionHasAMeaningOrIsCountedByName() throws {
    let actions = """
      get download_0 download_10 download_20 download_30 download_40 download_50 download_60 download_70 download_80
      download_90 download_manifest_start download_manifest_complete download_zip_start download_zip_complete
      download_complete set_next set uninstall reset delete ping noNew set_fail update_fail download_fail
      windows_path_fail canonical_path_fail directory_path_fail unzip_fail low_mem_fail insufficient_disk_space
      download_manifest_file_fail download_manifest_checksum_fail download_manifest_brotli_fail finish_download_fail
      manifest_path_fail decrypt_fail checksum_fail checksum_required keyMismatch cannotGetBundle backend_refusal
      blocked_by_server_url app_launch_start app_launch_ready app_launch_timeout app_crash app_crash_native app_anr
      app_killed_low_memory app_killed_excessive_resource_usage app_initialization_failure app_memory_warning
      app_moved_to_foreground app_moved_to_background NoChannelOrOverride channelMisconfigured setChannel getChannel
      rateLimited disableDevBuild disableProdBuild disableEmulator rate_limit_reached needPlanUpgrade InvalidIp
      customIdBlocked os_version_changed native_app_version_changed webview_javascript_error webview_unhandled_rejection
      webview_resource_error webview_security_policy_violation webview_unclean_restart webview_render_process_gone
      webview_content_process_terminated webview_dom_content_loaded webview_page_loaded missingBundle disableDevice
      disablePlatformIos disablePlatformAndroid disablePlatformElectron disableAutoUpdate disableAutoUpdateToMajor
      disableAutoUpdateToMinor disableAutoUpdateToPatch disableAutoUpdateMetadata disableAutoUpdateUnderNative
      cannotUpdateViaPrivateChannel
      """
    for action in actions.split(whereSeparator: \.isWhitespace).map(String.init) {
      #expect(CapgoAction.meaning(of: action) != nil || CapgoAction.counted.contains(action), "\(action)")
    }
  }

  @Test func whoTheDeviceIsDoesNotDependOnCase() throws {
    let upper = try #require(ask("POST", "/stats", Self.capgo("ping")))
    let lower = try #require(ask("POST", "/stats", Self.capgo("ping").replacing("AB-1", with: "ab-1")))
    #expect(upper.decoded.batch.events.map(\.device) == lower.decoded.batch.events.map(\.device))
    #expect(
      upper.context
        == Context(
          app: "com.example.app", platform: "ios", osVersion: "17.4", appVersion: "3.0.1", sdkVersion: "7.20.0",
          emulator: false))
  }
}
