import Lifecycle
import Testing

@testable import Ingest

/// Bodies as the acquisition SDK 4.2.3 sends them, and what they mean.
@Suite struct CodePushTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var path: String
    var body: String
    var events: [String]
    var testDescription: String { name }
  }

  static let deploy = "/v0.1/public/codepush/report_status/deploy"
  static let download = "/v0.1/public/codepush/report_status/download"

  /// A download is reported once `downloadUpdate` has resolved (package-mixins.js), which is after `downloadPackage` has unpacked,
  /// merged and verified it: microsoft/react-native-code-push 9.0.1, android/…/CodePushUpdateManager.java.
  static let reports = [
    Row(
      name: "a store build on its first launch", path: deploy,
      body: #"{"app_version":"1.0.0","deployment_key":"DK","client_unique_id":"dev-1"}"#,
      events: ["check store:1.0.0 unknown"]),
    Row(
      name: "a download", path: download, body: #"{"client_unique_id":"dev-1","deployment_key":"DK","label":"v2"}"#,
      events: [
        "downloadCompleted v2 unknown because time_of_receipt", "verified v2 unknown because time_of_receipt",
      ]),
    Row(
      name: "a deployment", path: deploy,
      body: """
        {"app_version":"1.0.0","deployment_key":"DK","client_unique_id":"dev-1","label":"v2",\
        "status":"DeploymentSucceeded","previous_label_or_app_version":"v1","previous_deployment_key":"DK"}
        """,
      events: [
        "applied v2 unknown from v1 because time_of_receipt", "confirmed v2 unknown because time_of_receipt",
      ]),
    Row(
      name: "the first deployment after a store build", path: deploy,
      body: """
        {"app_version":"1.0.0","deployment_key":"DK","client_unique_id":"dev-1","label":"v1",\
        "status":"DeploymentSucceeded","previous_label_or_app_version":"1.0.0"}
        """,
      events: [
        "applied v1 unknown from store:1.0.0 because time_of_receipt", "confirmed v1 unknown because time_of_receipt",
      ]),
    Row(
      name: "a rollback", path: deploy,
      body: """
        {"app_version":"1.0.0","deployment_key":"DK","client_unique_id":"dev-1","label":"v2","status":"DeploymentFailed"}
        """,
      events: ["rolledBack v2 unknown because time_of_receipt"]),
    Row(
      name: "the other spelling on the old path", path: "/reportStatus/deploy",
      body: #"{"appVersion":"1.0.0","deploymentKey":"DK","clientUniqueId":"dev-1","label":"v2","status":"Downloaded"}"#,
      events: [
        "downloadCompleted v2 unknown because time_of_receipt", "verified v2 unknown because time_of_receipt",
      ]),
    Row(
      name: "a status that nobody knows", path: deploy,
      body: #"{"app_version":"1","deployment_key":"DK","client_unique_id":"dev-1","label":"v2","status":"Pondering"}"#,
      events: []),
    Row(name: "no device", path: download, body: #"{"deployment_key":"DK","label":"v2"}"#, events: []),
  ]

  @Test(arguments: reports) func reportsBecomeEvents(_ row: Row) throws {
    let asked = try #require(ask("POST", row.path, row.body))
    #expect(asked.events == row.events)
    #expect(asked.reply == .text("OK"))
    #expect(asked.heard?.credential == "DK")
    #expect(asked.apps.isSubset(of: ["DK"]))
  }

  @Test(arguments: [
    "/v0.1/public/codepush/update_check?deployment_key=DK&app_version=1.0.0&package_hash=h1&label=v1&client_unique_id=d",
    "/updateCheck?deploymentKey=DK&appVersion=1.0.0&packageHash=h1&label=v1&clientUniqueId=d",
  ])
  func aCheckIsASignOfLife(_ target: String) throws {
    let asked = try #require(ask("GET", target))
    #expect(asked.events == ["check v1 unknown"])
    #expect(asked.context?.appVersion == "1.0.0")
    #expect(asked.reply.status == 200)
    #expect(asked.text.contains(#""is_available":false"#) || asked.text.contains(#""isAvailable":false"#))
  }

  /// AppZung/react-native-code-push 11.0.4, src/internals/utils/requestFetchAdapter.ts: no version of an SDK.
  @Test func itsVersionIsTheSDKsElseThePlugins() throws {
    let body = #"{"client_unique_id":"dev-1","deployment_key":"DK","label":"v2"}"#
    let plugin = ["x-codepush-plugin-version": "11.0.4"]
    let (alone, both) = (
      try #require(ask("POST", Self.download, body, headers: plugin)),
      try #require(
        ask("POST", Self.download, body, headers: plugin.merging(["x-codepush-sdk-version": "4.2.3"]) { _, new in new })
      )
    )
    #expect(alone.context?.sdkVersion == "11.0.4" && both.context?.sdkVersion == "4.2.3")
  }

  @Test func theMechanismComesFromBeside() throws {
    let body = #"{"client_unique_id":"dev-1","deployment_key":"DK","label":"v2"}"#
    let header = try #require(ask("POST", Self.download, body, headers: ["x-uptake-trigger": "silentPush"]))
    #expect(header.events.first == "downloadCompleted v2 silentPush because time_of_receipt")
    let query = try #require(ask("POST", Self.download + "?trigger=bgRefresh&app=com.example.demo&channel=beta", body))
    #expect(query.events.first == "downloadCompleted v2 bgRefresh because time_of_receipt on beta")
    #expect(query.apps == ["com.example.demo"])
    let unheardOf = try #require(ask("POST", Self.download + "?trigger=magic", body))
    #expect(unheardOf.events.first == "downloadCompleted v2 unknown because time_of_receipt")
  }

  @Test(arguments: ["", "{", "[]", #"{"deployment_key":"DK"}"#, #"{"app_version":"1","client_unique_id":"d"}"#])
  func whatIsNoReportIsRefusedInWords(_ body: String) throws {
    let asked = try #require(ask("POST", Self.deploy, body))
    #expect(asked.reply.status == 400 && asked.reply.type.hasPrefix("text/plain"))
    #expect(!asked.text.isEmpty && asked.events.isEmpty)
  }

  @Test(arguments: [reports[1], reports[2], reports[4]]) func aReportSentAgainIsTheSame(_ row: Row) throws {
    let early = try #require(ask("POST", row.path, row.body)).heard
    let late = try #require(
      ask("POST", row.path, row.body.replacing(#""app_version":"1.0.0","#, with: #""app_version":"1.0.1","#)))
    let rows = [early, late.heard].map { $0?.drafts.map(\.id) ?? [] }
    #expect(rows[0] == rows[1] && !rows[0].contains(nil))
    #expect(Set(rows[0]).count == rows[0].count, "each stage is an event of its own")
    let other = try #require(ask("POST", row.path, row.body.replacing("dev-1", with: "dev-2")))
    #expect(other.heard?.drafts.first?.id != early?.drafts.first?.id)
  }

  @Test func whatCannotBeStoredIsNotAskedForAgain() throws {
    let label = String(repeating: "v", count: 200)
    let asked = try #require(
      ask("POST", Self.download, #"{"client_unique_id":"dev-1","deployment_key":"DK","label":"\#(label)"}"#))
    #expect(asked.decoded.rejected[.tooLong] == 2)
    #expect(asked.reply == .text("OK"))
  }
}
