import Console
import Foundation
import HTTP
import Lifecycle
import Store
import Synchronization
import Testing

@testable import Server

/// Whoever revokes an old key looks when it was used last: every use counts, whatever the key may do, and no refusal does.
struct KeyUseTests {
  private let served: ServedDatabase
  private static let event = #"{"device":"d","stage":"check"}"#
  private static let report =
    #"{"app_version":"1","deployment_key":"CP","client_unique_id":"d","label":"v2","status":"DeploymentSucceeded"}"#

  init() throws { served = try ServedDatabase() }

  private func last(_ key: Int64 = 1) throws -> KeyUses.LastUse? {
    let registry = served.service.registry
    let found = try registry.keys().first { $0.id == key }
    return try found.map { try registry.keyUses().last(of: $0) }
  }

  private var thisHour: KeyUses.LastUse { .hour(served.service.now.hourOfUse) }

  @Test(
    arguments: [
      (.ingest, "POST", "/v1/events"), (.read, "GET", "/v1/releases"), (.read, "GET", "/v1/answers/releases"),
      (.devices, "GET", "/v1/answers/devices"), (.metrics, "GET", "/metrics"), (.publish, "PUT", "/v1/releases/1"),
      (.publish, "GET", "/v1/releases"), (.admin, "GET", "/v1/audit"), (.admin, "DELETE", "/v1/devices/d"),
      (.ingest, "GET", "/v1/arm?experiment=e&device=d"),
    ] as [(Scope, String, String)])
  func everyUseCounts(_ scope: Scope, _ method: String, _ path: String) throws {
    served.service.saveKeyUses()
    let key = try served.key(scope)
    #expect(try last() == .never)
    let response = served.ask(method, path, method == "GET" ? "" : Self.event, key: key)
    #expect(![401, 403].contains(response.status), "\(response.text)")
    served.service.saveKeyUses()
    #expect(try last() == thisHour)
  }

  /// In the header, in the query, beside the body, in it, and as another system's credential.
  @Test func inOtherProtocolsToo() throws {
    let path = "/v0.1/public/codepush/report_status/deploy"
    let registry = served.service.registry
    _ = try registry.register("CP", of: "codepush", app: "a", now: Timestamp(rawValue: 0))
    let own = try (0..<2).map { _ in try served.key(.ingest) }
    #expect(served.ask("POST", path, Self.report).status == 200)
    #expect(served.ask("POST", path, Self.report, key: own[0]).status == 200)
    #expect(served.ask("POST", path + "?key=" + own[1], Self.report).status == 200)
    served.service.saveKeyUses()
    for key in 1...3 { #expect(try last(Int64(key)) == thisHour, "\(key)") }
  }

  @Test func aRefusalIsNoUse() throws {
    served.service.saveKeyUses()
    let (read, revoked) = (try served.key(.read), try served.key(.read))
    #expect(try served.service.registry.revokeKey(2, now: served.service.now))
    served.service.reloadKeys()
    #expect(served.ask("POST", "/v1/events", Self.event, key: read).status == 403)
    #expect(served.ask("POST", "/events", Self.event, key: read).status == 403)
    #expect(served.ask("GET", "/v1/releases", key: revoked).status == 401)
    served.service.saveKeyUses()
    #expect(try last(1) == .never && last(2) == .never)
  }

  /// A request costs no transaction: the row of a key changes when another hour begins.
  @Test func anHourIsWrittenOnce() throws {
    let clock = Mutex(Instant(rawValue: 1_740_960_000_000))
    let served = try ServedDatabase(clock: { clock.withLock { $0 } })
    let key = try served.key(.read)
    func isWritten(after minutes: Int64) throws -> Bool {
      clock.withLock { $0 = $0 + .minutes(minutes) }
      #expect(served.ask("GET", "/v1/releases", key: key).status == 200)
      let before = try logLength(served)
      served.service.saveKeyUses()
      return try logLength(served) > before
    }
    #expect(try isWritten(after: 0))
    #expect(try !isWritten(after: 59) && !isWritten(after: 0))
    #expect(try isWritten(after: 1))
  }

  private func logLength(_ served: ServedDatabase) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: served.path + "-wal")[.size] as? Int ?? 0
  }

  /// Soon, and at the end what came last.
  @Test func theHousekeepingWritesIt() throws {
    let housekeeping = Housekeeping(served.service, foldAfter: .seconds(3600))
    let (first, second) = (try served.key(.read), try served.key(.read))
    #expect(served.ask("GET", "/v1/releases", key: first).status == 200)
    #expect(eventually { (try? last(1)) == thisHour })
    #expect(served.ask("GET", "/v1/releases", key: second).status == 200)
    housekeeping.stop()
    #expect(try last(2) == thisHour)
  }
}
