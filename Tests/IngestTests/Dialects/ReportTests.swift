import Lifecycle
import Testing

@testable import Ingest

/// Bodies written from the protocols of clients without an SDK that runs here: a row per case.
@Suite struct ForeignReportTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var target: String
    var body: String
    var events: [String] = []
    var status = 200
    /// What the answer holds.
    var says = ""
    var dropped: [String: Int] = [:]
    var testDescription: String { name }
  }

  static func capgo(_ action: String, _ more: String = "") -> String {
    """
    {"app_id":"com.example.app","device_id":"AB-1","platform":"ios","version_name":"1.2.0","old_version_name":"1.1.0",\
    "version_build":"3.0.1","version_os":"17.4","plugin_version":"7.20.0","is_emulator":false,"is_prod":true,\
    "action":"\(action)","timestamp":1709542800250\(more)}
    """
  }

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
      name: "a policy, on a channel", target: "/stats", body: capgo("disableDevBuild", #","defaultChannel":"beta""#),
      events: ["check 1.2.0 unknown at 2024-03-04T09:00:00.250Z on beta"]),
    Row(
      name: "an old plugin that found nothing to download", target: "/stats",
      body: capgo("download_fail").replacing("7.20.0", with: "7.16.9"), dropped: ["old_download_fail": 1]),
    Row(
      name: "the sixth series knows better", target: "/stats",
      body: capgo("download_fail").replacing("7.20.0", with: "6.14.25"),
      events: ["failed 1.2.0 unknown because download_fail at 2024-03-04T09:00:00.250Z"]),
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

  static func hot(_ type: String, _ more: String = "") -> String {
    """
    {"type":"\(type)","installId":"i1","platform":"ios","appVersion":"1.0","channel":"production","cohort":"12",\
    "fingerprintHash":null,"fromBundleId":"b1","toBundleId":"b2","fromReleaseId":null,"toReleaseId":null,\
    "updateStrategy":"appVersion","sdkVersion":"0.36.1"\(more)}
    """
  }

  static let hotUpdater = [
    Row(
      name: "downloaded", target: "/events", body: hot("UPDATE_DOWNLOADED"),
      events: ["downloadCompleted b2 unknown", "ready b2 unknown"], status: 204),
    Row(
      name: "applied", target: "/hot-updater/events", body: hot("UPDATE_APPLIED"),
      events: ["applied b2 unknown from b1", "confirmed b2 unknown"], status: 204),
    Row(
      name: "recovered from a crash", target: "/events", body: hot("RECOVERED"),
      events: ["rolledBack b1 unknown because crash", "check b2 unknown"], status: 204),
    Row(
      name: "unchanged", target: "/events",
      body: hot("UNCHANGED").replacing("\"b2\"", with: "\"00000000-0000-0000-0000-000000000000\""),
      events: ["check store:1.0 unknown"], status: 204),
    Row(
      name: "a field too many", target: "/events", body: hot("UNCHANGED", #","colour":"red""#), status: 400,
      says: #"{"error":"Invalid event field: colour"}"#),
    Row(
      name: "a platform of its own", target: "/events", body: hot("UNCHANGED").replacing("\"ios\"", with: "\"tv\""),
      status: 400, says: #"{"error":"Invalid event field: platform"}"#),
    Row(
      name: "more than sixteen kilobytes", target: "/events",
      body: hot("UNCHANGED") + String(repeating: " ", count: 16 << 10), status: 413, says: "too large"),
  ]

  static func patch(_ type: String, _ message: String = "null") -> String {
    """
    {"event":{"app_id":"sb-1","arch":"aarch64","client_id":"c1","type":"\(type)","patch_number":2,"platform":"android",\
    "release_version":"1.0.0+3","timestamp":1709542800,"message":\(message)}}
    """
  }

  static let shorebird = [
    Row(
      name: "a patch on the disk", target: "/api/v1/patches/events", body: patch("__patch_download__"),
      events: [
        "downloadCompleted 1.0.0+3:2 unknown at 2024-03-04T09:00:00Z on stable",
        "ready 1.0.0+3:2 unknown at 2024-03-04T09:00:00Z on stable",
      ], status: 201),
    Row(
      name: "its first boot", target: "/api/v1/patches/events", body: patch("__patch_install__"),
      events: [
        "applied 1.0.0+3:2 unknown at 2024-03-04T09:00:00Z on stable",
        "confirmed 1.0.0+3:2 unknown at 2024-03-04T09:00:00Z on stable",
      ], status: 201),
    Row(
      name: "it did not boot", target: "/api/v1/patches/events",
      body: patch("__patch_install_failure__", #""crash_recovery: patch 2 failed to boot (file_ok=true)""#),
      events: ["rolledBack 1.0.0+3:2 unknown because crash_recovery at 2024-03-04T09:00:00Z on stable"], status: 201),
    Row(
      name: "a type of the future", target: "/api/v1/patches/events", body: patch("__patch_dream__"), status: 201,
      dropped: ["unknown_type": 1]),
    Row(
      name: "a check", target: "/api/v1/patches/check",
      body: #"{"app_id":"sb-1","channel":"beta","release_version":"1.0.0+3","platform":"ios","client_id":"c1"}"#,
      events: ["check - unknown on beta"], says: #""patch_available":false"#),
    Row(name: "no event", target: "/api/v1/patches/events", body: "{}", status: 400, says: #""message":"#),
  ]

  static func report(_ type: String) -> String {
    #"{"type":"\#(type)","hash":"h2","packageVersion":"1.0","cInfo":{"rnu":"10.47.0","rn":"0.79","os":"ios 17.4","uuid":"u1"}}"#
  }

  static let reactNativeUpdate = [
    Row(
      name: "downloaded", target: "/report/AK", body: report("download_success"),
      events: ["downloadCompleted h2 unknown", "ready h2 unknown"]),
    Row(
      name: "marked as good", target: "/report/AK", body: report("mark_success"),
      events: ["applied h2 unknown", "confirmed h2 unknown"]),
    Row(name: "rolled back", target: "/report/AK", body: report("rollback"), events: ["rolledBack h2 unknown"]),
    Row(
      name: "a patch that failed", target: "/report/AK", body: report("patch_fail"),
      events: ["failed h2 unknown because patch_fail"]),
    Row(
      name: "a check of a store build", target: "/checkUpdate/AK",
      body: #"{"packageVersion":"1.0","cInfo":{"uuid":"u1","os":"android 34"}}"#, events: ["check store:1.0 unknown"],
      says: #"{"upToDate":true}"#),
    Row(name: "no device", target: "/report/AK", body: #"{"type":"rollback","hash":"h"}"#, dropped: ["no_device": 1]),
    Row(name: "no type", target: "/report/AK", body: "{}", status: 400, says: "message"),
  ]

  static func omaha(_ source: String, _ app: String, _ content: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- as Flatcar sends it -->
    <request protocol="3.0" version="ue-1" installsource="\(source)" ismachine="1">
      <os platform="CoreOS" version="Chateau" sp="3033_x86_64"></os>
      <app appid="e96281a6" version="1.0.0" track="beta" machineid="m1" bootid="{x}" \(app)>\(content)</app>
    </request>
    """
  }

  static let omaha = [
    Row(
      name: "a timer asks", target: "/v1/update", body: omaha("scheduler", "", "<ping active=\"1\"/><updatecheck/>"),
      events: ["check 1.0.0 bgRefresh on beta"],
      says: #"<app appid="e96281a6" status="ok"><ping status="ok"/><updatecheck status="noupdate"/></app>"#),
    Row(
      name: "somebody asks", target: "/v1/update", body: omaha("ondemandupdate", "", "<updatecheck/>"),
      events: ["check 1.0.0 foreground on beta"]),
    Row(
      name: "an update under way", target: "/v1/update",
      body: omaha(
        "scheduler", "",
        #"<event eventtype="13" eventresult="1" nextversion="1.1.0"/><event eventtype="14" eventresult="1" nextversion='1.1.0'/>"#
          + #"<event eventtype="800" eventresult="1" nextversion="1.1.0"></event>"#),
      events: [
        "downloadStarted 1.1.0 bgRefresh on beta", "downloadCompleted 1.1.0 bgRefresh on beta",
        "ready 1.1.0 bgRefresh on beta",
      ], says: #"<event status="ok"/><event status="ok"/><event status="ok"/>"#),
    Row(
      name: "after the reboot", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="3" eventresult="2" previousversion="0.9.0"/>"#),
      events: ["applied 1.0.0 bgRefresh from 0.9.0 on beta", "confirmed 1.0.0 bgRefresh on beta"]),
    Row(
      name: "an error", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="3" eventresult="0" errorcode="37" nextversion="1.1.0"/>"#),
      events: ["failed 1.1.0 bgRefresh because error 37 on beta"]),
    Row(
      name: "a download of nobody knows what", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="13" eventresult="1"/>"#), dropped: ["no_release": 1]),
    Row(
      name: "an app's id that needs escaping", target: "/v1/update",
      body: omaha("x", "", "<updatecheck/>").replacing("e96281a6", with: "a&amp;b&#60;"),
      events: ["check 1.0.0 unknown on beta"], says: #"appid="a&amp;b&lt;""#),
    Row(name: "no XML", target: "/v1/update", body: "request", status: 400, says: "error-malformed"),
    Row(name: "cut short", target: "/v1/update", body: "<request><app>", status: 400, says: "error-malformed"),
    Row(
      name: "entities without end", target: "/v1/update",
      body: #"<!DOCTYPE x [<!ENTITY a "aaaa">]><request>&a;</request>"#, status: 400, says: "error-malformed"),
  ]

  @Test(arguments: [capgo, hotUpdater, shorebird, reactNativeUpdate, omaha].flatMap { $0 })
  func reportsBecomeEvents(_ row: Row) throws {
    let asked = try #require(ask("POST", row.target, row.body))
    #expect(asked.events == row.events)
    #expect(asked.reply.status == row.status)
    #expect(row.says.isEmpty || asked.text.contains(row.says), "\(asked.text)")
    #expect(asked.heard?.dropped ?? [:] == row.dropped)
  }

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
      rateLimited disableDevBuild disableProdBuild disableEmulator
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
