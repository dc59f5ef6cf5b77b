import Foundation
import Testing

/// Clients whose checks name what they downloaded last, while it still waits for the next start.
///
/// microsoft/react-native-code-push 9.0.1: CodePush.js `checkForUpdate` sends the label of `getCurrentPackage`, which is that of
/// `UpdateState.LATEST`, and installs with `ON_NEXT_RESTART` by default.
@Suite final class WaitingUpdateTests {
  private var service: RunningService

  init() throws { service = try RunningService() }

  deinit {
    service.stop()
    service.removeFiles()
  }

  private func check(_ label: String, device: String = "d") throws {
    let query = "deployment_key=DK&app_version=1.0.0&label=\(label)&client_unique_id=\(device)"
    #expect(try service.ask("GET", "/v0.1/public/codepush/update_check?" + query).status == 200)
  }

  private func report(_ kind: String, _ label: String, _ status: String? = nil) throws {
    let status = status.map { #","app_version":"1.0.0","status":"\#($0)""# } ?? ""
    let body = #"{"deployment_key":"DK","client_unique_id":"d","label":"\#(label)"\#(status)}"#
    #expect(try service.ask("POST", "/v0.1/public/codepush/report_status/" + kind, Array(body.utf8)).status == 200)
  }

  /// The releases that checks were stored with, in order; `-` for none.
  private func checked() throws -> String {
    try sqlite(
      service.database,
      "SELECT group_concat(coalesce(release, '-'), ' ') FROM (SELECT * FROM v1_event ORDER BY seq) WHERE stage = 'check'"
    )
  }

  @Test func whatWaitsForTheNextStartDoesNotRun() throws {
    try check("v1")
    try report("download", "v2")
    try check("v2")
    try check("v2", device: "older")  // It had v2 before there was an Uptake.
    try report("deploy", "v2", "DeploymentSucceeded")
    try check("v2")
    #expect(try checked() == "v1 - v2 v2")
  }

  @Test func whatBrokeAtItsFirstLaunchIsOver() throws {
    try report("download", "v2")
    try report("deploy", "v2", "DeploymentFailed")
    try check("v1")
    try report("download", "v3")
    // Sent again until it is taken, and of the release before.
    try report("deploy", "v2", "DeploymentFailed")
    try check("v3")
    #expect(try checked() == "v1 -")
  }

  /// stallion-tech/react-native-stallion 2.4.0, StallionSyncHandler: `appliedBundleHash` is that of the download.
  @Test func stallionsDownloadWaitsAsWell() throws {
    func check(_ hash: String) throws {
      let body =
        #"{"appVersion":"4.2.0","platform":"ios","projectId":"p","appliedBundleHash":"\#(hash)","deviceMeta":{"uid":"d"}}"#
      #expect(try service.ask("POST", "/api/v1/promoted/get-update-meta", Array(body.utf8)).status == 200)
    }
    func tell(_ type: String) throws {
      let event = #"{"releaseHash":"h2","eventType":"\#(type)","eventId":"\#(type)","projectId":"p","uid":"d"}"#
      let body = #"{"projectId":"p","eventData":[\#(event)]}"#
      #expect(try service.ask("POST", "/api/v1/analytics/log-bulk-events", Array(body.utf8)).status == 200)
    }
    try check("h1")
    try tell("DOWNLOAD_COMPLETE_PROD")
    try check("h2")
    try tell("EXCEPTION_PROD")
    try tell("INSTALLED_PROD")
    try check("h2")
    #expect(try checked() == "h1 - h2")
    let crashed = "SELECT count(*), count(release) FROM v1_event WHERE stage = 'crashed'"
    #expect(try sqlite(service.database, crashed) == "1|0")
  }

  /// docs/clients/codepush.md: what waits is known in memory only.
  @Test func aRestartForgetsIt() throws {
    try report("download", "v2")
    service.stop()
    service = try RunningService(directory: service.directory)
    try check("v2")
    #expect(try checked() == "v2")
  }
}
