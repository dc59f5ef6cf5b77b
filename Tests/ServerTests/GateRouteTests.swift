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

  /// What devices take and nobody registered is told to whoever names no release.
  @Test func whatNobodyRegisteredStopsIt() throws {
    let served = try ServedDatabase()
    let steps = [
      ("1T08", "applied", "1.0"), ("2T08", "downloadStarted", "2.0"), ("2T09", "applied", "2.0"),
      ("2T10", "crashed", "2.0"),
    ]
    let events = (0..<40).flatMap { number in
      steps.map { at, stage, release in
        #"{"device":"d\#(number)","app":"a","stage":"\#(stage)","release":"\#(release)","at":"2025-03-0\#(at):00:00Z"}"#
      }
    }
    #expect(served.ask("POST", "/v1/events", "[\(events.joined(separator: ","))]").status == 200)
    let publication = #"{"app":"a","publishedAt":"2025-03-01T07:00:00Z"}"#
    #expect(served.ask("PUT", "/v1/releases/1.0", publication).status == 200)
    for place in ["", "?channel=production"] {
      let asked = served.ask("GET", "/v1/gate\(place)")
      #expect(asked.status == 412 && asked.text.contains(#""crashing""#), "\(asked.text)")
    }
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
