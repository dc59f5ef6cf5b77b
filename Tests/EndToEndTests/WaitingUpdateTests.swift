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

  private func remembered() throws -> Int? {
    Int(try sqlite(service.database, "SELECT count(*) FROM remembered_release"))
  }

  /// Ended in order, what is new is saved; killed, all but what came within the last second.
  private func restart(_ signal: Int32, holding rows: Int) throws {
    if signal == SIGKILL { try eventually { try remembered() == rows } }
    service.stop(signal)
    #expect(try remembered() == rows)
    service = try RunningService(directory: service.directory)
  }

  @Test(arguments: [SIGTERM, SIGKILL]) func aRestartForgetsNothing(_ signal: Int32) throws {
    try report("download", "v2")
    try restart(signal, holding: 1)
    try check("v2")
    #expect(try checked() == "-", "it waits still")
    try report("deploy", "v2", "DeploymentSucceeded")
    try restart(signal, holding: 0)
    try check("v2")
    #expect(try checked() == "- v2")
  }

  private func tell(_ events: String..., refused: Int = 0) throws {
    let events = events.map { #"{"app":"a","device":"d","trigger":"bgRefresh",\#($0)}"# }
    #expect(try service.ask("[" + events.joined(separator: ",") + "]")["rejected"] == refused)
  }

  private let ready = #""type":"update-ready","update":{"hash":"h2"}"#
  private func rolledBack() throws -> String {
    try sqlite(service.database, "SELECT group_concat(release, ' ') FROM v1_event WHERE stage = 'rolledBack'")
  }

  /// One that is refused takes nothing from the others.
  @Test func aRollbackBesideARefusedEventIsOfItsRelease() throws {
    try tell(ready, #""type":"rollback","reason":"crash""#, #""type":"check","hash":"h2","osVersion":[]"#, refused: 1)
    #expect(try rolledBack() == "h2")
    try tell(#""type":"rollback","reason":"boot loop""#)
    #expect(try rolledBack() == "h2 h2")
  }

  /// docs.swiftpatch.io/sdk/events: the JavaScript event of a rollback names no release.
  @Test(arguments: [SIGTERM, SIGKILL]) func aRollbackAfterARestartIsOfTheReleaseBefore(_ signal: Int32) throws {
    try tell(ready)
    try restart(signal, holding: 1)
    try tell(#""type":"rollback","reason":"boot loop""#)
    #expect(try rolledBack() == "h2")
    #expect(try service.ask("DELETE", "/v1/devices/d?app=a").status == 200)
    #expect(try remembered() == 0)
    try restart(signal, holding: 0)
  }
}
