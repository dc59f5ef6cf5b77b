import HTTP
import Ingest
import Lifecycle
import Store
import Testing

@testable import Server

/// Who may and what for is decided when the head is there, once.
struct AdmissionTests {
  private let event = #"{"device":"d","stage":"check","app":"a"}"#

  /// The key is not looked up again for the body: one that is revoked meanwhile was valid for this request.
  @Test func theKeyIsLookedUpOnce() throws {
    let served = try ServedDatabase()
    let key = try served.key(.ingest)
    let request = served.request("POST", "/v1/events", event, key: key)
    let handler = try #require(served.service.admit(request).handler)
    _ = try served.service.registry.revokeKey(1, now: .init(rawValue: 1))
    served.service.reloadKeys()
    #expect(served.answer { handler(request, $0) }.status == 200)
    #expect(served.ask("POST", "/v1/events", event, key: key).code == "wrong_key")
  }

  @Test func theKeyOfAnotherSystemsClientIsLookedUpOnce() throws {
    let served = try ServedDatabase()
    let key = try served.key(.ingest)
    let body =
      #"{"app_version":"1.0.0","deployment_key":"DK","client_unique_id":"d","label":"v2","status":"DeploymentSucceeded"}"#
    let request = served.request("POST", "/v0.1/public/codepush/report_status/deploy", body, key: key)
    let handler = try #require(served.service.admit(request).handler)
    _ = try served.service.registry.revokeKey(1, now: .init(rawValue: 1))
    served.service.reloadKeys()
    #expect(served.answer { handler(request, $0) }.status == 200)
    #expect(served.answer { served.service.handle(request, $0) }.status == 401)
  }

  /// An observation is counted under the route that admission found, whatever its target looks like.
  @Test(arguments: [
    ("POST", "/v1/events?x=1", "/v1/events"), ("GET", "/v1/answers/push", "/v1/answers/{question}"),
    ("PATCH", "/v1/events", "/v1/events"), ("GET", "/nowhere", "other"), ("GET", "/%76%31/releases", "/v1/releases"),
  ]) func theRouteIsNamedByItsAdmission(_ method: String, _ target: String, _ name: String) throws {
    let served = try ServedDatabase()
    #expect(served.service.admit(served.request(method, target)).label == name)
  }

  /// Who opens the service in a browser looks for pages.
  @Test(arguments: [("/", true), ("/index.html", true), ("/push.html", true), ("/nothing", false)])
  func withoutPagesItSaysHowToServeThem(_ path: String, _ says: Bool) throws {
    let response = try ServedDatabase().ask("GET", path)
    #expect((response.status, response.code) == (404, "not_found"))
    #expect(response.text.contains("there is nothing at \(path)") && response.text.contains("--reports DIR") == says)
  }

  /// Who posts to a wrong place has events.
  @Test(arguments: ["/", "/v1/event", "/v1/events/", "/events/v1"])
  func whatIsPostedElsewhereIsToldWhereEventsGo(_ path: String) throws {
    let response = try ServedDatabase().ask("POST", path, event)
    #expect((response.status, response.code) == (404, "not_found"))
    #expect(response.text.contains("there is nothing at \(path); events go to POST /v1/events"), "\(response.text)")
  }

  /// HEAD is answered where GET is, and `Allow` names all that is (RFC 9110, 10.2.1).
  @Test(arguments: [
    ("POST", "/healthz", "GET, HEAD"), ("PATCH", "/v1/gate", "GET, POST, HEAD"), ("HEAD", "/v1/events", "POST"),
    ("POST", "/v1/releases/1", "GET, PUT, DELETE, HEAD"),
  ]) func allowNamesWhatIsAnswered(_ method: String, _ path: String, _ allowed: String) throws {
    let response = try ServedDatabase().ask(method, path)
    #expect(response.status == 405 && response.headers.contains { $0.name == "Allow" && $0.value == allowed })
  }

  static let refusals: [(method: String, path: String, scope: Scope?, status: Int, code: String)] = [
    ("GET", "/v1/releases", nil, 401, "no_key"), ("GET", "/v1/releases", .ingest, 403, "wrong_scope"),
    ("POST", "/v1/events", .read, 403, "wrong_scope"), ("PUT", "/v1/releases/1", .read, 403, "wrong_scope"),
    ("GET", "/nothing", .admin, 404, "not_found"), ("GET", "/v1/events", .admin, 405, "method_not_allowed"),
    ("GET", "/metrics", .admin, 403, "wrong_scope"), ("DELETE", "/v1/devices/d", .ingest, 403, "wrong_scope"),
    ("DELETE", "/v1/devices/d", .publish, 403, "wrong_scope"), ("GET", "/v1/audit", .publish, 403, "wrong_scope"),
    ("DELETE", "/v1/releases/1", .publish, 403, "wrong_scope"), ("POST", "/v1/events", .publish, 403, "wrong_scope"),
  ]

  @Test(arguments: refusals) func refuses(
    _ row: (method: String, path: String, scope: Scope?, status: Int, code: String)
  ) throws {
    let served = try ServedDatabase()
    let key = try served.key(row.scope ?? .admin)
    let response = served.ask(row.method, row.path, key: row.scope == nil ? nil : key)
    #expect((response.status, response.code) == (row.status, row.code))
  }

  /// What a pipeline does, with one key; what it may ask is the scopes' own test.
  @Test func aPipelinePublishes() throws {
    let served = try ServedDatabase()
    let key = try served.key(.publish)
    let put = served.ask("PUT", "/v1/releases/1", #"{"app":"a"}"#, key: key)
    #expect(put.status == 200, "\(put.text)")
    #expect(served.ask("GET", "/v1/releases", key: key).status == 200)
    #expect(served.ask("PUT", "/v1/releases/1", #"{"app":"b"}"#, key: key).code == "wrong_app")
  }

  /// The two ways to send a key are mixed up often: what can be read is read, the rest is told.
  @Test func aKeyInTheOtherHeadersWords() throws {
    let served = try ServedDatabase()
    let key = try served.key(.ingest)
    func ask(_ header: String, _ value: String) -> Response {
      served.ask("POST", "/v1/events", event, headers: [(header, value)])
    }
    #expect(ask("X-Uptake-Key", "Bearer " + key).status == 200 && ask("X-Uptake-Key", key).status == 200)
    #expect(ask("Authorization", "bearer  " + key).status == 200)
    let bare = ask("Authorization", key)
    #expect((bare.status, bare.code) == (401, "no_key") && bare.text.contains("Bearer is missing"), "\(bare.text)")
    #expect(!bare.text.contains(key))
    for other in ["Bearer", "Basic", "Basic abc", "Token " + key] {
      let response = ask("Authorization", other)
      #expect(response.status == 401 && response.text.contains("a key is needed"), "\(other): \(response.text)")
    }
    #expect(ask("X-Uptake-Key", "Bearer upk_guess").code == "wrong_key")
  }

  /// Nothing else is looked at for an address that comes too often, and each is answered in its protocol.
  @Test func tooManyOfAnAddressAreRefusedFirst() throws {
    let served = try ServedDatabase(limits: .init(perAddress: 1, perKey: 0, trustedProxies: []))
    _ = try served.key(.admin)
    for _ in 0..<RateLimits.Settings.burstSeconds {
      _ = served.service.admit(served.request("GET", "/healthz"))
    }
    let own = served.ask("GET", "/v1/releases")
    #expect(own.status == 429 && own.code == "too_many_requests")
    let foreign = served.ask("POST", "/v0.1/public/codepush/report_status/deploy", "{}")
    #expect(foreign.status == 429 && foreign.code == nil, "\(foreign.text)")
    #expect(served.service.metrics.dropped.total == 1)
  }

  @Test func tooManyOfAKeyAreRefused() throws {
    let served = try ServedDatabase(limits: .init(perAddress: 0, perKey: 1, trustedProxies: []))
    let key = try served.key(.ingest)
    let codes = (0...RateLimits.Settings.burstSeconds).map { _ in
      served.ask("POST", "/v1/events", event, key: key).code
    }
    #expect(codes.last == "too_many_requests" && codes.dropLast().allSatisfy { $0 == nil })
  }

  @Test func aBodyIsTakenWhereTheRouteHasOne() throws {
    let served = try ServedDatabase()
    func limit(_ method: String, _ path: String) -> Int? {
      if case .body(let limit, _) = served.service.admit(served.request(method, path)).decision { limit } else { nil }
    }
    #expect(limit("POST", "/v1/events") == 1 << 16 && limit("GET", "/v1/releases") == 0)
    #expect(limit("GET", "/nothing") == nil)
  }
}
