import HTTP
import Ingest
import Lifecycle
import Store
import Testing

@testable import Server

/// Where each protocol's proof stands, and how much of a request is read for strangers.
struct DialectKeyTests {
  private let served: ServedDatabase
  private let own: String
  private let reading: String

  private static let deploy = "/v0.1/public/codepush/report_status/deploy"
  private static let report =
    #"{"app_version":"1","deployment_key":"KEY","client_unique_id":"d","label":"v2","status":"DeploymentSucceeded"}"#
  private static let envelope = #"{"dsn":"https://KEY@uptake.example.com/1"}"# + "\n"

  init() throws {
    served = try ServedDatabase()
    own = try served.key(.ingest)
    reading = try served.key(.read)
    for (dialect, credential) in [("codepush", "CP"), ("hot-updater", "HU"), ("sentry", "SE")] {
      _ = try served.service.registry.register(credential, of: dialect, app: "a", now: Timestamp(rawValue: 0))
    }
    served.service.reloadKeys()
  }

  /// Whether the head alone is refused: nil where the body is wanted.
  private func refusal(_ path: String, _ headers: [(String, String)] = []) -> Int? {
    let admission = served.service.admit(served.request("POST", path, headers: headers))
    guard case .refuse(let response) = admission.decision else { return nil }
    return response.status
  }

  @Test func whoeverShowsNothingBesideTheBodyIsRefusedWhereTheProofStandsThere() {
    #expect(refusal("/events") == 401 && refusal("/events", [("x-api-key", "x")]) == 401)
    #expect(refusal("/events", [("x-api-key", "HU")]) == nil)
    #expect(refusal("/api/1/store/") == 403 && refusal("/api/1/store/?sentry_key=SE") == nil)
    #expect(refusal("/v1/logs") == 401 && refusal("/v1/logs", [("x-uptake-key", own)]) == nil)
  }

  @Test func theBodyIsReadWhereTheProofStandsInIt() {
    #expect(refusal(Self.deploy) == nil && refusal("/api/1/envelope/") == nil)
    #expect(refusal("/api/1/envelope/", [("x-sentry-auth", "Sentry sentry_key=x")]) == 403)
  }

  @Test(arguments: [("CP", 200), ("HU", 401), ("x", 401), ("", 400)])
  func whatTheBodyPresentsIsLookedUpForItsDialect(_ credential: String, _ status: Int) {
    let response = served.ask("POST", Self.deploy, Self.report.replacing("KEY", with: credential))
    #expect(response.status == status, "\(response.text)")
  }

  @Test(arguments: [("SE", true), ("CP", false)]) func theFirstLineMayPresentIt(_ credential: String, _ isKnown: Bool) {
    let response = served.ask("POST", "/api/1/envelope/", Self.envelope.replacing("KEY", with: credential))
    #expect((response.status == 200) == isKnown, "\(response.status) \(response.text)")
  }

  /// A key of ours stands in for a protocol's own, in a header, in the query and in its place in the body.
  @Test func aKeyOfOursStandsIn() {
    let strange = Self.report.replacing("KEY", with: "x")
    #expect(served.ask("POST", Self.deploy, strange, key: own).status == 200)
    #expect(served.ask("POST", Self.deploy + "?key=" + own, strange).status == 200)
    #expect(served.ask("POST", Self.deploy, Self.report.replacing("KEY", with: own)).status == 200)
    #expect(served.ask("POST", Self.deploy, strange, key: reading).status == 403, "it may not send")
    #expect(served.ask("POST", Self.deploy + "?key=CP", strange).status == 401, "a credential is no key of ours")
  }

  @Test func withoutAnyKeyEverybodyIsHeard() throws {
    let open = try ServedDatabase()
    #expect(open.ask("POST", Self.deploy, Self.report).status == 200)
  }

  @Test func whoIsRefusedIsCounted() {
    _ = served.ask("POST", "/events")
    _ = served.ask("POST", Self.deploy, Self.report)
    #expect(served.service.metrics.dropped.total == 2)
  }
}
