import HTTP
import Store
import Testing

@testable import Server

/// Apps in a web view are pages to their system. Tests/Pages/web_view.py asks a real browser.
@Suite struct CrossOriginTests {
  private let event = #"{"device":"d","stage":"check","app":"a"}"#
  private let own = "capacitor://localhost"

  private func served(_ origins: String...) throws -> ServedDatabase {
    try ServedDatabase(origins: AllowedOrigins(origins))
  }

  private func permitted(_ response: Response) -> String? {
    response.headers.first { $0.name == "Access-Control-Allow-Origin" }?.value
  }

  private func preflight(_ served: ServedDatabase, _ path: String, _ origin: String, for method: String = "POST")
    -> Response
  {
    served.ask(
      "OPTIONS", path,
      headers: [
        ("origin", origin), ("access-control-request-method", method),
        ("access-control-request-headers", "content-type,x-uptake-key"),
      ])
  }

  @Test func nobodyIsPermittedWhereNothingIsSaid() throws {
    let served = try served()
    let key = try served.key(.ingest)
    let refused = preflight(served, "/v1/events", own)
    #expect((refused.status, refused.code) == (405, "preflight_refused"))
    #expect(refused.text.contains("start the service with --allow-origin capacitor://localhost"), "\(refused.text)")
    #expect(refused.headers.contains { $0.name == "Allow" && $0.value == "POST" })
    #expect(served.ask("OPTIONS", "/v1/events").code == "method_not_allowed", "nobody's page asks")
    #expect(permitted(served.ask("POST", "/v1/events", event, key: key, headers: [("origin", own)])) == nil)
  }

  @Test(arguments: ["/v1/events", "/v0.1/public/codepush/report_status/deploy"])
  func whoAsksFirstIsTold(_ path: String) throws {
    let served = try served("CAPACITOR://localhost")
    _ = try served.key(.ingest)
    let answer = preflight(served, path, own)
    #expect(answer.status == 204 && permitted(answer) == own)
    #expect(answer.headers.contains { $0.name == "Access-Control-Allow-Methods" && $0.value == "POST" })
    #expect(
      answer.headers.contains { $0.name == "Access-Control-Allow-Headers" && $0.value == "content-type,x-uptake-key" })
    #expect(preflight(served, path, "capacitor://localhost.evil").status == 405)
    #expect(preflight(served, path, "null").status == 405)
  }

  /// Answers are for no page of another place, and nothing but events goes in.
  @Test(arguments: [
    ("/v1/answers/releases", "GET"), ("/v1/releases/2.0", "PUT"), ("/v1/devices/d", "DELETE"), ("/metrics", "GET"),
    ("/v1/gate", "POST"), ("/nothing", "POST"),
  ])
  func onlyEventsGoIn(_ path: String, _ method: String) throws {
    let served = try served(own)
    _ = try served.key(.ingest)
    let refused = preflight(served, path, own, for: method)
    #expect(permitted(refused) == nil && !refused.text.contains("--allow-origin"), "it would not help: \(refused.text)")
    #expect(refused.code == (path == "/nothing" ? "not_found" : "preflight_refused"))
    #expect(permitted(served.ask(method, path, headers: [("origin", own)])) == nil)
  }

  /// A page may read why it was refused, or it could not say.
  @Test func everyAnswerCanBeRead() throws {
    let served = try served("a=" + own)
    let (key, other) = (try served.key(.ingest), try served.key(.ingest, app: "b"))
    func ask(_ body: String, _ key: String?, _ origin: String) -> Response {
      served.ask("POST", "/v1/events", body, key: key, headers: [("origin", origin)])
    }
    let taken = ask(event, key, own)
    #expect(taken.status == 200 && permitted(taken) == own)
    #expect(taken.headers.contains { $0.name == "Vary" && $0.value == "Origin" })
    #expect(ask("{", key, own).status == 400 && permitted(ask("{", key, own)) == own)
    #expect(ask(event, "nobody", own).status == 401 && permitted(ask(event, "nobody", own)) == own)
    #expect(permitted(ask(event, key, "https://a.example")) == nil)
    // The place is that of another app.
    #expect(permitted(ask(event, other, own)) == nil)
  }

  /// Until there is a key pages of other places are turned away, but for those that somebody named.
  @Test func withoutKeysTheyMaySendToo() throws {
    let served = try served("https://app.example")
    func ask(_ origin: String) -> Int {
      served.ask("POST", "/v1/events", event, headers: [("origin", origin), ("host", "localhost")]).status
    }
    #expect(ask("https://app.example") == 200 && ask("https://evil.example") == 403)
    let other = [("origin", "https://evil.example"), ("host", "localhost")]
    let told = served.ask("POST", "/v1/events", event, headers: other)
    #expect(told.code == "foreign_origin" && told.text.contains("--allow-origin https://evil.example"), "\(told.text)")
    let read = served.ask("GET", "/v1/releases", headers: [("origin", "https://app.example"), ("host", "localhost")])
    #expect((read.status, read.code) == (403, "foreign_origin"))
    #expect(!read.text.contains("--allow-origin"), "figures are for no page of another place: \(read.text)")
  }

  @Test(arguments: [
    "*", "null", "app.example", "https://", "https://a.example/", "https://a.example/x", "=https://a", "://a",
    "https://a b",
  ])
  func whatIsNoOriginIsRefused(_ text: String) {
    #expect(throws: AllowedOrigins.Malformed.self) { try AllowedOrigins([text]) }
  }
}
