import Lifecycle
import Testing

@testable import Ingest

/// A release that broke at its first launch: all that its client ever sends about it. It was fetched, it is rolled back, by
/// exactly the label under which it was fetched, and at no moment was it applied.
@Suite struct BrokenReleaseTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var client: String
    var reports: [(target: String, body: String)]
    var events: [String]
    var testDescription: String { client }
  }

  private static func codePush(_ more: String) -> String {
    #"{"deployment_key":"DK","client_unique_id":"d","label":"v2"\#(more)}"#
  }
  private static let (deploy, download) = (
    "/v0.1/public/codepush/report_status/deploy", "/v0.1/public/codepush/report_status/download"
  )

  static let rows = [
    // microsoft/react-native-code-push 9.0.1, android/…/CodePushTelemetryManager.java `getRollbackReport`: the failed package
    // with its label, and no previous one.
    Row(
      client: "CodePush",
      reports: [
        (download, codePush("")), (deploy, codePush(#","app_version":"1.0.0","status":"DeploymentFailed""#)),
      ],
      events: [
        "downloadCompleted v2 unknown because time_of_receipt", "verified v2 unknown because time_of_receipt",
        "rolledBack v2 unknown because time_of_receipt",
      ]),
    // gronxb/hot-updater 1.0.0-rc.0, packages/react-native/src/notifyAppReadyAnalytics.ts and
    // android/…/BundleFileStorageService.kt (`fromBundleId = stagingBundleId`): the bundle that crashed is the one it came from.
    Row(
      client: "hot-updater",
      reports: [
        ("/events", ForeignReportTests.hot("UPDATE_DOWNLOADED")),
        ("/events", ForeignReportTests.hot("RECOVERED").replacing("b2", with: "b0").replacing("b1", with: "b2")),
      ],
      events: [
        "downloadCompleted b2 unknown", "ready b2 unknown", "rolledBack b2 unknown because crash", "check b0 unknown",
      ]),
    // shorebirdtech/updater, library/src/updater.rs `handle_prior_boot_failure_if_necessary`: the patch that was booting;
    // `__patch_install__` is only sent once one has booted.
    Row(
      client: "Shorebird",
      reports: ["__patch_download__", "__patch_install_failure__"].map {
        ("/api/v1/patches/events", ForeignReportTests.patch($0, #""crash_recovery: patch 2 failed to boot""#))
      },
      events: [
        "downloadCompleted 1.0.0+3:2 unknown at 2024-03-04T09:00:00Z on stable",
        "ready 1.0.0+3:2 unknown at 2024-03-04T09:00:00Z on stable",
        "rolledBack 1.0.0+3:2 unknown because crash_recovery at 2024-03-04T09:00:00Z on stable",
      ]),
    // reactnativecn/react-native-update 10.53.1, src/telemetry.ts `resolveServerEventHash`: of a rollback, the version that
    // was rolled back; src/client.ts sends it as the client starts again.
    Row(
      client: "react-native-update",
      reports: ["download_success", "rollback"].map { ("/report/AK", ForeignReportTests.report($0)) },
      events: ["downloadCompleted h2 unknown", "ready h2 unknown", "rolledBack h2 unknown"]),
  ]

  @Test(arguments: rows) func isRolledBackAndNeverApplied(_ row: Row) throws {
    let asked = try row.reports.map { try #require(ask("POST", $0.target, $0.body)) }
    #expect(asked.flatMap(\.events) == row.events)
    let all = asked.flatMap { asked in
      asked.decoded.batch.events.map { ($0.stage, asked.decoded.batch.name($0.release)) }
    }
    let broken = all.filter { $0.0 == .rolledBack }.map(\.1)
    #expect(broken.count == 1 && broken == [all.first { $0.0 == .downloadCompleted }?.1])
    #expect(!all.contains { [.applied, .confirmed].contains($0.0) })
  }

  /// expo/expo, packages/expo-updates: an update that failed to launch never shows as the current one; checks name it among
  /// the failed ones for as long as the client remembers, beside the update that runs in its place.
  @Test func ofExpo() {
    let (broken, running) = ("0190c6f4-0000-7000-8000-000000000002", ExpoLogTests.update)
    let lines = ["09:00", "10:00"].map { time in
      #"{"time":"2024-03-04T\#(time):00Z","EAS-Client-ID":"e","Expo-Current-Update-ID":"\#(running)","#
        + #""Expo-Recent-Failed-Update-IDs":"\"\#(broken)\""}"#
    }
    let decoded = Array(lines.joined(separator: "\n").utf8).withUnsafeBytes {
      NativeDecoder(keys: keys).decode($0, as: .expoLog, .file(app: "a", now: noon), Place())
    }
    let named = decoded.batch.events.map { "\($0.stage.rawValue) \(decoded.batch.name($0.release) ?? "-")" }
    #expect(named == ["check \(running)", "rolledBack \(broken)", "check \(running)", "rolledBack \(broken)"])
    #expect(Set(decoded.batch.events.filter { $0.stage == .rolledBack }.map(\.identity)).count == 1, "one event")
  }
}
