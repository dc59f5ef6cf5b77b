import HTTP
import Store
import Testing

@testable import Server

/// What other systems' clients are answered nobody sees: the log tells it.
struct ClientNotesTests {
  private static let deploy = "/v0.1/public/codepush/report_status/deploy"
  private static let check = "/v0.1/public/codepush/update_check?deployment_key=k&app_version=1.0&client_unique_id=d"

  private func told(_ served: ServedDatabase, _ event: String) -> [String] {
    served.log.text.split(separator: "\n").map(String.init).filter { $0.contains("\"event\":\"\(event)\"") }
  }

  private func report(key: String = "k", device: String = #","client_unique_id":"d""#, status: String) -> String {
    #"{"app_version":"1","deployment_key":"\#(key)","label":"v2","status":"\#(status)"\#(device)}"#
  }

  @Test func aReportThatIsNotStoredIsTold() throws {
    let served = try ServedDatabase()
    for _ in 0..<3 { _ = served.ask("POST", Self.deploy, report(device: "", status: "DeploymentSucceeded")) }
    _ = served.ask("POST", Self.deploy, report(status: "Exploded"))
    _ = served.ask("POST", Self.deploy, "{")
    let lines = told(served, "client_refused")
    #expect(lines.count == 3 && lines.allSatisfy { $0.contains(#""client":"codepush""#) }, "\(served.log.text)")
    for code in ["no_device", "unknown_status", "malformed"] {
      #expect(lines.count { $0.contains("\"code\":\"\(code)\"") } == 1, "\(code) in \(lines)")
    }
    #expect(served.ask("POST", Self.deploy, report(status: "DeploymentSucceeded")).status == 200)
    #expect(told(served, "client_refused").count == 3)
  }

  /// Whoever reads the log learns nothing that opens anything.
  @Test func whatAStrangerPresentsIsNotWrittenDown() throws {
    let served = try ServedDatabase()
    _ = try served.key(.ingest)
    #expect(served.ask("POST", Self.deploy, report(key: "SECRET", status: "DeploymentSucceeded")).status == 401)
    let lines = told(served, "client_refused")
    #expect(lines.count == 1 && lines.allSatisfy { $0.contains(#""code":"wrong_key""#) }, "\(lines)")
    #expect(!served.log.text.contains("SECRET"))
  }

  /// Letters may have any number of marks.
  @Test func whatClientsSayIsCut() throws {
    let served = try ServedDatabase()
    let root = "a" + String(repeating: "\u{301}", count: 20_000)
    _ = served.ask("POST", "/v1/update", "{\"\(root)\":{}}")
    let lines = told(served, "client_refused")
    #expect(lines.count == 1 && lines.allSatisfy { $0.utf8.count < 2000 }, "\(lines.map(\.utf8.count))")
  }

  @Test func checksThatNobodyAnswersAreTold() throws {
    let served = try ServedDatabase()
    for _ in 0..<3 { #expect(served.ask("GET", Self.check).status == 200) }
    let lines = told(served, "no_upstream")
    #expect(lines.count == 1 && lines.allSatisfy { $0.contains("--upstream codepush=https://") }, "\(served.log.text)")
    #expect(told(try ServedDatabase(), "no_upstream").isEmpty)
  }
}
