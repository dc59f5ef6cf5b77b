import Foundation
import HTTP
import Ingest
import Lifecycle
import Store
import Testing

@testable import Server

/// Who was to be forgotten waits for an archive that is not there; events do not.
struct PendingForgettingTests {
  private static let event =
    #"{"id":"1","app":"a","device":"d","stage":"check","release":"1","at":"2025-03-02T00:00:00Z"}"#

  @Test func aServiceStartsWhereAnArchiveIsMissing() throws {
    let served = try ServedDatabase()
    #expect(served.ask("POST", "/v1/events", Self.event).status == 200)
    try served.service.log.settle()
    let (archives, away) = (served.folder.path + "/archives", served.folder.path + "/away")
    try FileManager.default.createDirectory(atPath: archives, withIntermediateDirectories: false)
    #expect(try served.service.log.retain(before: served.service.now + .days(1), archives: archives).events == 1)
    try FileManager.default.moveItem(atPath: archives, toPath: away)
    #expect(served.ask("DELETE", "/v1/devices/d?app=a").status == 503)

    let next = try ServedDatabase(in: served.folder)
    #expect(next.log.text.contains(#""event":"forgetting_failed""#) && next.log.text.contains("put it back"))
    #expect(next.ask("POST", "/v1/events", Self.event.replacing(#""d""#, with: #""e""#)).status == 200)
    let device = next.service.log.identityKeys.device(app: "a", id: "d")
    #expect(try next.service.log.knows(device))

    try FileManager.default.moveItem(atPath: away, toPath: archives)
    #expect(next.ask("DELETE", "/v1/devices/d?app=a").status == 200)
    #expect(try !next.service.log.knows(device))
  }
}
