import Foundation
import HTTP
import Lifecycle
import Store
import Testing

@testable import Server

/// What is done over HTTP is noted with the key that did it, and told to that app's admins.
struct AuditRouteTests {
  private let served: ServedDatabase
  private let admin: String

  init() throws {
    served = try ServedDatabase()
    admin = try served.key(.admin)
  }

  private func entries(_ query: String = "", key: String? = nil) throws -> [[String: Any]] {
    let response = served.ask("GET", "/v1/audit" + query, key: key ?? admin)
    #expect(response.status == 200, "\(response.text)")
    let document = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    #expect(document?["schema"] as? String == "uptake.audit/1")
    return document?["data"] as? [[String: Any]] ?? []
  }

  @Test func aPublicationIsNotedWithItsKey() throws {
    #expect(served.ask("PUT", "/v1/releases/2.0.0", #"{"channel":"beta"}"#, key: admin).status == 200)
    let entry = try #require(try entries().first)
    #expect(entry["act"] as? String == "publish" && entry["app"] as? String == "a")
    #expect(entry["key"] as? Int == 1 && entry["user"] is NSNull)
    #expect(entry["at"] as? String == ServedDatabase.now)
    let facts = entry["facts"] as? [String: Any]
    #expect(facts?["release"] as? String == "2.0.0" && facts?["channel"] as? String == "beta")
  }

  @Test func aForgottenDeviceIsNotedWithItsKeyAndWithoutItsID() throws {
    let ingest = try served.key(.ingest)
    #expect(served.ask("POST", "/v1/events", #"{"device":"phone-77","stage":"check"}"#, key: ingest).status == 200)
    #expect(served.ask("DELETE", "/v1/devices/phone-77", key: admin).status == 200)
    let text = served.ask("GET", "/v1/audit", key: admin).text
    #expect(!text.contains("phone-77"))
    let entry = try #require(try entries().first)
    #expect(entry["act"] as? String == "forget" && entry["key"] as? Int == 1)
    #expect((entry["facts"] as? [String: Any])?["events"] as? Int == 1)
  }

  @Test func anotherAppsEntriesAndThoseOfTheServiceAreNotTold() throws {
    let other = try served.key(.admin, app: "b")
    served.service.noteStart([("rate-per-key", "5")])
    #expect(served.ask("PUT", "/v1/releases/2.0.0", "{}", key: other).status == 200)
    #expect(try entries().allSatisfy { $0["app"] as? String == "a" })
    #expect(try entries(key: other).map { $0["act"] as? String } == ["publish", "key-create"])
    #expect(served.ask("GET", "/v1/audit?app=b", key: admin).status == 403)
  }

  @Test(arguments: [Scope.ingest, .read, .devices, .metrics]) func onlyAdminsAreTold(_ scope: Scope) throws {
    #expect(served.ask("GET", "/v1/audit", key: try served.key(scope)).status == 403)
    #expect(served.ask("GET", "/v1/audit").status == 401)
  }

  @Test(arguments: [
    ("last=1", 1), ("since=2025-03-03T00:00:00Z", 2), ("until=2025-03-03T00:00:00Z", 1), ("app=a", 3),
  ]) func itIsNarrowed(_ query: String, _ count: Int) throws {
    for release in ["1", "2"] {
      #expect(served.ask("PUT", "/v1/releases/\(release)", "{}", key: admin).status == 200)
    }
    #expect(try entries("?" + query).count == count)
  }

  @Test(arguments: [
    "last=0", "last=x", "since=yesterday", "device=1", "last=1&last=2",
    "since=2025-03-03T00:00:00Z&until=2025-03-02T00:00:00Z",
  ])
  func whatCannotBeMeantIsRefused(_ query: String) {
    #expect(served.ask("GET", "/v1/audit?" + query, key: admin).code == "bad_request")
  }

  /// Before the first key nobody can be named.
  @Test func withoutKeysItIsWhoeverIsHere() throws {
    let open = try ServedDatabase()
    #expect(
      open.answer { open.service.handle(open.request("PUT", "/v1/releases/1", #"{"app":"a"}"#), $0) }.status == 200)
    let entry = try #require(try AuditTrail(limit: 1).entries(path: open.path).first)
    #expect(entry.author == .anybodyHere)
  }
}
