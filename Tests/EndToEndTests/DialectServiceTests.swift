import Foundation
import Testing

/// Other systems' clients against a running service: what they send is stored like any event, by the same rules.
@Suite struct DialectServiceTests {
  private let deploy = "/v0.1/public/codepush/report_status/deploy"
  private let deployed = """
    {"app_version":"1.0.0","deployment_key":"DK","client_unique_id":"dev-1","label":"v2","status":"DeploymentSucceeded"}
    """

  private func stored(_ service: RunningService) throws -> String {
    try sqlite(service.database, "SELECT app, channel, stage, release, trigger FROM v1_event ORDER BY seq")
  }

  @Test func withoutKeysEverybodyIsHeard() throws {
    let service = try RunningService()
    let answer = try service.ask("POST", deploy, Array(deployed.utf8))
    #expect(answer.status == 200 && answer.body == "OK")
    #expect(try stored(service) == "DK|production|applied|v2|unknown\nDK|production|confirmed|v2|unknown")
    let again = try service.ask("POST", deploy, Array(deployed.utf8))
    #expect(again.status == 200)
    #expect(try sqlite(service.database, "SELECT count(*) FROM event") == "2", "a resend is recognised")
    let slash = try service.ask("POST", deploy + "/", Array(deployed.utf8))
    #expect(slash.status == 200)
    service.stop()
    service.removeFiles()
  }

  @Test func aRegisteredCredentialNamesTheAppAndTheChannel() throws {
    let service = try RunningService()
    let made = try Binary.run(
      "key", "create", "--db", service.database, "--app", "com.example.demo", "--for", "codepush:DK", "--channel",
      "beta")
    #expect(made.status == 0 && made.output.isEmpty, "\(made.errors)")
    kill(service.process.processIdentifier, SIGHUP)
    try eventually { try service.ask("POST", self.deploy, Array("{}".utf8)).status == 400 }
    try eventually {
      try service.ask("POST", self.deploy, Array(self.deployed.replacing("DK", with: "other").utf8)).status == 401
    }
    #expect(try service.ask("POST", deploy, Array(deployed.utf8)).status == 200)
    let query = deployed.replacing("DK", with: "other").replacing("dev-1", with: "dev-2")
    #expect(try service.ask("POST", deploy + "?key=DK", Array(query.utf8)).status == 401, "not as a key of ours")
    #expect(
      try stored(service).split(separator: "\n").suffix(2).joined(separator: "\n")
        == "com.example.demo|beta|applied|v2|unknown\ncom.example.demo|beta|confirmed|v2|unknown")
    #expect(try service.ask(#"{"device":"d","stage":"check"}"#, headers: ["X-Uptake-Key": "DK"]).status == 401)
    service.stop()
    service.removeFiles()
  }

  @Test func aKeyOfOursStandsInForAForeignOne() throws {
    let service = try RunningService()
    let made = try Binary.run("key", "create", "--db", service.database, "--app", "com.example.demo")
    let key = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    kill(service.process.processIdentifier, SIGHUP)
    try eventually { try service.ask("POST", self.deploy, Array(self.deployed.utf8)).status == 401 }
    let inside = deployed.replacing("DK", with: key)
    #expect(try service.ask("POST", deploy, Array(inside.utf8)).status == 200)
    #expect(try service.ask("POST", deploy + "?key=" + key, Array(deployed.utf8)).status == 200)
    #expect(try service.ask("POST", deploy, Array(deployed.utf8), headers: ["X-Uptake-Key": key]).status == 200)
    #expect(try sqlite(service.database, "SELECT DISTINCT app FROM v1_event WHERE release = 'v2'").hasSuffix("demo"))
    service.stop()
    service.removeFiles()
  }

  @Test func nativeEventsMayHaveTheirTriggerBesideThem() throws {
    let service = try RunningService()
    let events =
      #"[{"app":"a","device":"d","stage":"check"},{"app":"a","device":"e","stage":"check","trigger":"location"}]"#
    #expect(try service.ask(events, headers: ["X-Uptake-Trigger": "silentPush"])["accepted"] == 2)
    #expect(try service.ask("POST", "/v1/events?trigger=bgRefresh", Array(events.utf8))["accepted"] == 1)
    let more = #"{"app":"a","device":"f","stage":"check"}"#
    let magic = try service.ask("POST", "/v1/events?trigger=magic", Array(more.utf8))
    #expect(magic.status == 200, "\(magic)")
    #expect(
      try sqlite(service.database, "SELECT group_concat(trigger) FROM (SELECT trigger FROM v1_event ORDER BY seq)")
        == "silentPush,location,bgRefresh,unknown")
    // A word in a header is whoever's who set it up, whatever protocol it stands beside: what clients say is taken all the same.
    let foreign = try service.ask("POST", deploy, Array(deployed.utf8), headers: ["X-Uptake-Trigger": "magic"])
    #expect(foreign.status == 200, "\(foreign.body)")
    service.stop()
    service.removeFiles()
  }

  /// An event's own word goes before what stands beside it.
  @Test func nativeEventsMayHaveMoreBesideThem() throws {
    let service = try RunningService()
    let events =
      #"[{"device":"d","stage":"check"},{"device":"e","stage":"check","app":"b","channel":"c","platform":"p"}]"#
    let headers = ["X-Uptake-App": "a", "X-Uptake-Channel": "beta", "X-Uptake-Platform": "ios"]
    #expect(try service.ask(events, headers: headers)["accepted"] == 2)
    let address = "/v1/events?app=q&channel=qc&platform=qp"
    #expect(try service.ask("POST", address, Array(events.utf8))["accepted"] == 1)
    #expect(
      try sqlite(
        service.database,
        "SELECT group_concat(app || ' ' || channel || ' ' || platform) FROM (SELECT * FROM v1_event ORDER BY seq)")
        == "a beta ios,b c p,q qc qp")
    service.stop()
    service.removeFiles()
  }

  @Test func whatIsDroppedIsCounted() throws {
    let service = try RunningService()
    let nobody = #"{"app_version":"1","deployment_key":"DK","label":"v2","status":"DeploymentSucceeded"}"#
    #expect(try service.ask("POST", deploy, Array(nobody.utf8)).status == 200)
    #expect(try service.ask("POST", deploy, Array("nonsense".utf8)).status == 400)
    // An answer is on its way before its request is counted.
    try eventually { try service.ask("GET", "/metrics").body.contains(#"code="400"} 1"#) }
    let metrics = try service.ask("GET", "/metrics").body
    #expect(metrics.contains(#"uptake_dialect_dropped_total{dialect="codepush",reason="no_device"} 1"#))
    #expect(metrics.contains(#"uptake_dialect_dropped_total{dialect="codepush",reason="malformed"} 1"#))
    #expect(metrics.contains(#"route="/v0.1/public/codepush/report_status/deploy",method="POST",code="400"} 1"#))
    service.stop()
    service.removeFiles()
  }

  @Test func aDialectThatNobodyKnowsIsNotRegistered() throws {
    let directory = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for word in ["codepsh:DK", "codepush", "codepush:"] {
      let made = try Binary.run("key", "create", "--db", directory + "/uptake.db", "--app", "a", "--for", word)
      #expect(made.status == 2 && made.errors.contains("DIALECT:CREDENTIAL"), "\(word): \(made.errors)")
    }
    try? FileManager.default.removeItem(atPath: directory)
  }
}
