@testable import Ingest

/// Reports of hot-updater, Shorebird and react-native-update.
extension ForeignReportTests {
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
      name: "behind the base of a server's own", target: "/api/events", body: hot("UPDATE_DOWNLOADED"),
      events: ["downloadCompleted b2 unknown", "ready b2 unknown"], status: 204),
    Row(
      name: "recovered from a crash", target: "/events", body: hot("RECOVERED"),
      events: ["rolledBack b1 unknown because crash", "check b2 unknown"], status: 204),
    Row(
      name: "unchanged", target: "/events",
      body: hot("UNCHANGED").replacing("\"b2\"", with: "\"00000000-0000-0000-0000-000000000000\""),
      events: ["check store:1.0 unknown"], status: 204),
    // gronxb/hot-updater 0.36.3, packages/react-native: `getMinBundleId` in android/…/HotUpdaterImpl.kt and
    // `HotUpdaterGetMinBundleId` in ios/HotUpdater/Internal/HotUpdater.mm; plugins/plugin-core/src/generateMinBundleId.ts: the
    // first 48 bits are the time of the build in milliseconds, then come version, variant and zeros; zeros throughout in
    // a debug build.
    Row(
      name: "the store's build is no download", target: "/events",
      body: hot("UPDATE_DOWNLOADED").replacing("\"b2\"", with: "\"0198c6f4-12ab-7000-8000-000000000000\""),
      events: ["check store:1.0 unknown"], status: 204),
    Row(
      name: "the build of the store", target: "/events",
      body: hot("UNCHANGED").replacing("\"b2\"", with: "\"0198C6F4-12ab-7000-8000-000000000000\""),
      events: ["check store:1.0 unknown"], status: 204),
    Row(
      name: "from the build of the store", target: "/events",
      body: hot("UPDATE_APPLIED").replacing("\"b1\"", with: "\"0198c6f4-12ab-7000-8000-000000000000\""),
      events: ["applied b2 unknown from store:1.0", "confirmed b2 unknown"], status: 204),
    Row(
      name: "recovered to the build of the store", target: "/events",
      body: hot("RECOVERED").replacing("\"b2\"", with: "\"0198c6f4-12ab-7000-8000-000000000000\""),
      events: ["rolledBack b1 unknown because crash", "check store:1.0 unknown"], status: 204),
    Row(
      name: "recovered from nothing over the air", target: "/events",
      body: hot("RECOVERED").replacing("\"b1\"", with: "null"), events: ["check b2 unknown"], status: 204),
    Row(
      name: "a bundle of the same moment", target: "/events",
      body: hot("UPDATE_APPLIED").replacing("\"b2\"", with: "\"0198c6f4-12ab-7000-8000-000000000001\""),
      events: [
        "applied 0198c6f4-12ab-7000-8000-000000000001 unknown from b1",
        "confirmed 0198c6f4-12ab-7000-8000-000000000001 unknown",
      ], status: 204),
    Row(
      name: "a field too many", target: "/events", body: hot("UNCHANGED", #","colour":"red""#), status: 400,
      says: #"{"error":"Invalid event payload"}"#),
    Row(name: "no JSON", target: "/events", body: "{", status: 400, says: #"{"error":"Invalid event payload"}"#),
    Row(
      name: "no cohort", target: "/events", body: hot("UNCHANGED").replacing("\"12\"", with: "null"), status: 400,
      says: #"{"error":"Invalid event field: cohort"}"#),
    Row(
      name: "a strategy of its own", target: "/events",
      body: hot("UPDATE_APPLIED").replacing("\"updateStrategy\":\"appVersion\"", with: "\"updateStrategy\":\"luck\""),
      status: 400, says: #"{"error":"Invalid event field: updateStrategy"}"#),
    Row(
      name: "a name that is too long", target: "/events",
      body: hot("UNCHANGED", #","username":"\#(String(repeating: "é", count: 1025))""#), status: 400,
      says: #"{"error":"Invalid event field: username"}"#),
    Row(
      name: "a name that is just short enough", target: "/events",
      body: hot("UNCHANGED", #","username":"\#(String(repeating: "é", count: 1024))""#), events: ["check b2 unknown"],
      status: 204),
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
    Row(
      name: "a check that says what runs", target: "/api/v1/patches/check",
      body: #"{"app_id":"sb-1","release_version":"1.0.0+3","current_patch_number":2,"client_id":"c1"}"#,
      events: ["check 1.0.0+3:2 unknown on stable"]),
    Row(
      name: "a check that says what lies on the disk", target: "/api/v1/patches/check",
      body: #"{"app_id":"sb-1","release_version":"1.0.0+3","patch_number":2,"client_id":"c1"}"#,
      events: ["check - unknown on stable"]),
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
}
