import HTTP
import Ingest
import Testing

@testable import Server

/// What stands beside other clients' requests, or in a field of their own, and is no word that anybody knows.
struct DialectAsideTests {
  private static let capgo = """
    {"action":"set_next","device_id":"d","app_id":"a","version_name":"2.0","platform":"ios","metadata":{"trigger":"WORD"}}
    """
  private static let otlp = """
    {"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1740960000000000000","eventName":"ota.ready",
     "attributes":[{"key":"ota.release","value":{"stringValue":"2.0"}},{"key":"ota.mechanism","value":{"stringValue":"WORD"}},
      {"key":"app.installation.id","value":{"stringValue":"d"}},{"key":"ota.app","value":{"stringValue":"a"}}]}]}]}]}
    """
  private static let codePush =
    #"{"app_version":"1","deployment_key":"KEY","client_unique_id":"d","label":"v2","status":"DeploymentSucceeded"}"#

  private func log(_ path: String, _ body: String, _ headers: [(String, String)] = []) throws -> String {
    let served = try ServedDatabase()
    let all = [("content-type", "application/json")] + headers
    let response = served.ask("POST", path, body, headers: all)
    #expect(response.status == 200, "\(response.text)")
    return served.log.text
  }

  @Test(arguments: [("wibble", true), ("silentPush", false), ("WorkManager", false), ("unknown", false)])
  func anUnknownTriggerIsTold(_ word: String, _ isTold: Bool) throws {
    let deploy = "/v0.1/public/codepush/report_status/deploy"
    let logs = [
      ("codepush", try log(deploy, Self.codePush, [("x-uptake-trigger", word)])),
      ("codepush", try log(deploy + "?trigger=" + word, Self.codePush)),
      ("capgo", try log("/stats", Self.capgo.replacing("WORD", with: word))),
      ("otlp", try log("/v1/logs", Self.otlp.replacing("WORD", with: word))),
    ]
    for (client, log) in logs {
      #expect(log.contains("aside_ignored") == isTold, "\(client): \(log)")
      #expect(!isTold || log.contains(#""client":"\#(client)""#) && log.contains("wibble"), "\(client): \(log)")
    }
  }
}
