import Foundation
import Testing

/// A client whose release breaks at its first launch on 4 of 10 devices, as that client reports it: with no `applied`.
struct BreakingClient: CustomTestStringConvertible, Sendable {
  var name: String
  var app: String
  var release: String
  /// By the number of a device and whether the release breaks there: the path and the body of its report.
  var report: @Sendable (_ device: Int, _ breaks: Bool) -> (path: String, body: String)
  var testDescription: String { name }

  /// Bodies as the sources of the clients form them.
  static let all = [
    // microsoft/react-native-code-push 9.0.1, CodePush.js; code-push 4.2.3, acquisition-sdk.ts: reported after the restart.
    BreakingClient(name: "CodePush", app: "DK", release: "v2") { device, breaks in
      (
        "/v0.1/public/codepush/report_status/deploy",
        """
        {"app_version":"1.0.0","deployment_key":"DK","client_unique_id":"d\(device)","label":"v2",\
        "status":"\(breaks ? "DeploymentFailed" : "DeploymentSucceeded")"}
        """
      )
    },
    // gronxb/hot-updater, branch next of July 2026, packages/server/src/insights/eventInput.ts: RECOVERED names what it came from.
    BreakingClient(
      name: "hot-updater", app: "hot-updater", release: "0195d0f6-4b2c-7000-8000-00000000beef"
    ) { device, breaks in
      let (new, old) = ("0195d0f6-4b2c-7000-8000-00000000beef", "0195aaaa-4b2c-7000-8000-000000000001")
      return (
        "/events",
        """
        {"type":"\(breaks ? "RECOVERED" : "UPDATE_APPLIED")","installId":"d\(device)","platform":"ios","appVersion":"1.0.0",\
        "channel":"production","cohort":"1","fromBundleId":"\(breaks ? new : old)","toBundleId":"\(breaks ? old : new)"}
        """
      )
    },
    // shorebirdtech/updater, library/src/events.rs: the failure of an install is queued until the next check.
    BreakingClient(name: "Shorebird", app: "sb", release: "1.0.0+1:2") { device, breaks in
      (
        "/api/v1/patches/events",
        """
        {"event":{"app_id":"sb","arch":"aarch64","client_id":"d\(device)","patch_number":2,"platform":"android",\
        "release_version":"1.0.0+1","timestamp":\(Int(Date().timeIntervalSince1970)),\
        "type":"\(breaks ? "__patch_install_failure__" : "__patch_install__")",\
        "message":"\(breaks ? "crash_recovery: patch 2 failed to boot" : "")"}}
        """
      )
    },
    // reactnativecn/react-native-update 10.47.0, src/telemetry.ts.
    BreakingClient(name: "react-native-update", app: "rnu", release: "hash2") { device, breaks in
      (
        "/report/rnu",
        """
        {"type":"\(breaks ? "rollback" : "mark_success")","hash":"hash2","packageVersion":"1.0.0",\
        "cInfo":{"rnu":"10.47.0","rn":"0.79.0","os":"ios 18.0","uuid":"d\(device)"}}
        """
      )
    },
  ]
}

@Suite struct FirstLaunchTests {
  private var later: String { Date(timeIntervalSinceNow: 2 * 86_400).ISO8601Format() }

  @Test(arguments: BreakingClient.all) func rollbacksEndTheAttempt(_ client: BreakingClient) throws {
    let service = try RunningService()
    for device in 0..<10 {
      let report = client.report(device, device < 4)
      let answer = try service.ask(
        "POST", report.path, Array(report.body.utf8), headers: ["Content-Type": "application/json"])
      #expect((200..<300).contains(answer.status), "\(answer)")
    }
    service.stop()
    try expectFourOfTen(service.database, client.app, client.release)
    service.removeFiles()
  }

  /// expo/expo, packages/expo-updates, FileDownloader.kt: a check names what runs and what failed; nothing is ever `applied`.
  @Test func expoSaysSoInItsNextCheck() throws {
    let folder = try scratchFolder()
    let old = "11111111-1111-4111-8111-111111111111"
    let new = "22222222-2222-4222-8222-222222222222"
    func line(_ device: Int, _ time: String, runs current: String, failed: String = "") -> String {
      #"{"time":"\#(time)","eas_client_id":"d\#(device)","expo_current_update_id":"\#(current)","#
        + #""expo_recent_failed_update_ids":"\"\#(failed)\"","expo_platform":"ios","expo_runtime_version":"1.0.0"}"#
    }
    let before = (0..<10).map { line($0, "2025-03-01T08:00:00Z", runs: old) }
    let broken = (0..<4).map { line($0, "2025-03-02T08:00:00Z", runs: old, failed: new) }
    let lines = before + broken + (4..<10).map { line($0, "2025-03-02T08:00:00Z", runs: new) }
    let database = folder + "/expo.db"
    let stored = try Binary.start(
      Binary.path, ["import", "-", "--format", "expo-log", "--app", "expo", "--db", database],
      input: lines.joined(separator: "\n"))
    try #require(stored.status == 0, "\(stored.errors)")
    try expectFourOfTen(database, "expo", new)
  }

  private func expectFourOfTen(_ database: String, _ app: String, _ release: String) throws {
    let said = try Binary.run(
      "failures", release, "--app", app, "--db", database, "--now", later, "--limit", "5%", "--format", "json")
    let answer = try #require(try JSONSerialization.jsonObject(with: Data(said.output.utf8)) as? [String: Any])
    let row = try #require((answer["data"] as? [[String: Any]])?.first)
    #expect(row["attempts"] as? Int == 10 && row["failed"] as? Int == 4, "\(said.output)")
    #expect((row["stopRule"] as? [String: Any])?["decision"] as? String == "stop")
    let gate = try Binary.run(
      "failures", release, "--app", app, "--db", database, "--now", later, "--require", "rate.hi<=0.02")
    #expect(gate.status == 3, "\(gate.errors)")
  }
}
