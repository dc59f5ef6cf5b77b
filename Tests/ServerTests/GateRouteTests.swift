import Foundation
import HTTP
import Store
import Testing

@testable import Server

/// The gate as pipelines and operators ask it.
struct GateRouteTests {
  /// What Flagger posts: fluxcd/flagger, pkg/controller/webhook.go, `CallWebhook`. Anything above 202 is a "no" to it, and its
  /// client makes `https://any:KEY@host/` a header of HTTP Basic.
  private let payload = #"{"name":"shop","namespace":"prod","phase":"Progressing","metadata":{}}"#

  private func served() throws -> ServedDatabase {
    let served = try ServedDatabase()
    let event = #"{"device":"d","app":"a","stage":"applied","release":"1.0","at":"2025-03-02T12:00:00Z"}"#
    #expect(served.ask("POST", "/v1/events", event).status == 200)
    return served
  }

  private func password(_ key: String) -> [(String, String)] {
    [("authorization", "Basic " + Data("any:\(key)".utf8).base64EncodedString())]
  }

  @Test func aHookThatPostsIsAnsweredAsWhoeverAsks() throws {
    let served = try served()
    let asked = served.ask("GET", "/v1/gate?release=1.0&channel=production")
    let posted = served.ask("POST", "/v1/gate?release=1.0&channel=production", payload)
    #expect(asked.status == 412 && posted.status == 412, "\(posted.text)")
    #expect(posted.text == asked.text)
    #expect(served.ask("POST", "/v1/gate?release=2.0", payload).status == 400)
  }

  /// The hook's body names a URL and nothing else of its own.
  @Test func theKeyOfAHookMayBeAPassword() throws {
    let served = try served()
    let (read, ingest) = (try served.key(.read), try served.key(.ingest))
    #expect(served.ask("POST", "/v1/gate", payload).status == 401)
    #expect(served.ask("POST", "/v1/gate", payload, headers: password(read)).status == 412)
    #expect(served.ask("POST", "/v1/gate", payload, key: read).status == 412)
    #expect(served.ask("POST", "/v1/gate", payload, headers: password(ingest)).status == 403)
    #expect(served.ask("POST", "/v1/gate", payload, headers: password("wrong")).status == 401)
  }

  /// A browser sends a password along with whatever another site makes it ask: nothing that changes something takes one.
  @Test func nothingElseTakesAPassword() throws {
    let served = try served()
    let admin = try served.key(.admin)
    for route in routes where !route.access.isForBrowsers && route.name != "/v1/gate" && route.dialect == nil {
      guard case .holder = route.access else { continue }
      let path = route.name.replacing("{question}", with: "verdict").replacing("{device}", with: "d")
        .replacing("{release}", with: "1.0")
      #expect(served.ask(route.method, path, "{}", headers: password(admin)).status == 401, "\(route.method) \(path)")
    }
    #expect(served.ask("GET", "/v1/gate", headers: password(admin)).status == 401)
  }
}
