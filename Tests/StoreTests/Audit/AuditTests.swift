import Foundation
import Lifecycle
import Testing

@testable import Store

/// Every act of people on the database has its entry, and no entry goes.
@Suite final class AuditTests: RegistryTests {
  private let now = Timestamp(rawValue: SmallFleet.start)

  private func entries(_ path: String? = nil) throws -> [AuditEntry] {
    try AuditTrail(limit: 1000).entries(path: path ?? scratch.database).reversed()
  }

  private func publication(_ release: String = "2.0.0", app: String = "a") -> Publication {
    Publication(
      app: app, release: ReleaseLabel(rawValue: release), channel: "beta", platform: "ios", publishedAt: now,
      rollout: [RolloutStep(at: now, percent: 10), RolloutStep(at: now + .days(1), percent: 100)], mandatory: true)
  }

  @Test func eachActTellsWhoAndWhat() throws {
    try registry.publish(publication(), by: .key(7), now: now)
    let key = try registry.register(
      "SECRET", of: "codepush", app: "a", channel: "beta", platform: "ios", note: "Ann's", by: .anybodyHere, now: now)
    let own = try registry.createKey(app: "", scope: .metrics, by: .user("ann"), now: now)
    #expect(try registry.revokeKey(key.id, by: .user("ann"), now: now + .days(1)))
    let found = try entries()
    #expect(found.map(\.act) == ["publish", "key-create", "key-create", "key-revoke"])
    #expect(found.map(\.author) == [.key(7), .anybodyHere, .user("ann"), .user("ann")])
    #expect(found.map(\.app) == ["a", "a", nil, "a"])
    #expect(found.map(\.at) == [now, now, now, now + .days(1)])
    #expect(
      found[0].facts == [
        .init("release", "2.0.0"), .init("channel", "beta"), .init("platform", "ios"),
        .init("publishedAt", now.rfc3339),
        .init("rollout", "10.0% from \(now.rfc3339), 100.0% from \((now + .days(1)).rfc3339)"),
        .init("mandatory", "yes"),
      ])
    #expect(
      found[1].facts == [
        .init("key", key.id), .init("scope", "ingest"), .init("for", "codepush"), .init("channel", "beta"),
        .init("platform", "ios"),
      ])
    #expect(found[2].facts == [.init("key", own.key.id), .init("scope", "metrics")])
    #expect(found[3].facts == [.init("key", key.id)])
  }

  /// What an entry holds stays for ever: no credential, no note of a person.
  @Test func noSecretIsInIt() throws {
    _ = try registry.register("SECRET", of: "codepush", app: "a", note: "Ann's", now: now)
    let own = try registry.createKey(app: "a", scope: .read, note: "Ann's", now: now)
    let text = "\(try entries())"
    for secret in ["SECRET", own.secret, "Ann"] { #expect(!text.contains(secret), "\(secret)") }
  }

  @Test func whatWasNotDoneHasNoEntry() throws {
    #expect(try !registry.revokeKey(1, now: now))
    let wrong = Publication(
      app: "a", release: ReleaseLabel(rawValue: "1"), channel: "c", publishedAt: now,
      rollout: [RolloutStep(at: now, percent: .nan)])
    #expect(throws: StoreError.self) { try registry.publish(wrong) }
    #expect(try entries() == [])
  }

  /// Without its entry an act is not done.
  @Test func whatCannotBeNotedIsNotDone() throws {
    let breaker = try Connection(path: scratch.database, mode: .write)
    try breaker.execute("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT raise(ABORT, 'full'); END")
    #expect(throws: StoreError.self) { try registry.publish(publication()) }
    #expect(throws: StoreError.self) { try registry.createKey(app: "a", scope: .read, now: now) }
    #expect(try count(scratch.database, "SELECT count(*) FROM publication") == 0)
    #expect(try count(scratch.database, "SELECT count(*) FROM key") == 0)
    #expect(try registry.keyRing().isOpen)
  }

  @Test func noEntryIsChangedOrRemoved() throws {
    try registry.publish(publication())
    let before = try entries()
    let connection = try Connection(path: scratch.database, mode: .write)
    let attempts: [StaticString] = [
      "UPDATE audit SET os_user = 'other'", "DELETE FROM audit", "DELETE FROM audit WHERE id = 1",
      "UPDATE OR REPLACE audit SET id = 5",
    ]
    for attempt in attempts {
      #expect { try connection.execute(attempt) } throws: { ("\($0)").contains("the audit only grows") }
    }
    try connection.execute("REPLACE INTO audit (id, at, act, facts) VALUES (1, 0, 'publish', '{}')")
    try connection.execute("INSERT OR IGNORE INTO audit (id, at, act, facts) VALUES (1, 0, 'publish', '{}')")
    #expect(throws: StoreError.self) {
      try connection.execute("INSERT INTO audit (at, act, facts) VALUES (0, 'publish', 'no JSON')")
    }
    #expect(try entries() == before)
  }

  @Test func theNewestAreFoundByAppAndTime() throws {
    for day in 0..<5 {
      try registry.publish(publication("\(day)", app: day % 2 == 0 ? "a" : "b"), now: now + .days(Int64(day)))
    }
    func releases(_ trail: AuditTrail) throws -> [AuditEntry.Fact] {
      try trail.entries(path: scratch.database).map { $0.facts[0] }
    }
    #expect(try releases(AuditTrail(limit: 2)) == [.init("release", "4"), .init("release", "3")])
    #expect(try releases(AuditTrail(app: "b", limit: 9)) == [.init("release", "3"), .init("release", "1")])
    #expect(try releases(AuditTrail(since: now + .days(2), until: now + .days(3), limit: 9)) == [.init("release", "2")])
    #expect(try releases(AuditTrail(app: "c", limit: 9)) == [])
  }

  @Test func aStartIsNotedOnceForItsSettings() throws {
    let (first, other) = ([AuditEntry.Fact("rate-per-key", "5")], [AuditEntry.Fact("rate-per-key", "6")])
    for facts in [first, first, other, other, first] { try registry.noteStart(facts, by: .user("s"), now: now) }
    #expect(try entries().map(\.facts) == [first, other, first])
  }

  @Test func aForgottenDeviceIsCountedAndNotNamed() throws {
    let fleet = SmallFleet(30, seed: 3)
    try store([fleet.batch], in: scratch.database)
    let gone = fleet.devices[0]
    let done = try EventLog(path: scratch.database).forget([gone], of: "a", by: .key(2), now: now)
    let entry = try #require(try entries().last)
    #expect((entry.act, entry.author, entry.app) == ("forget", .key(2), "a"))
    #expect(entry.facts == [.init("devices", 1), .init("events", Int64(done.events))])
    #expect(try traces(of: gone, in: scratch.path) == [])
  }

  /// A backup knows nothing of what was done after it; in the place of the database it does.
  @Test func aRestoredBackupGoesOnTellingIt() throws {
    let fleet = SmallFleet(30, seed: 3)
    try store([fleet.batch], in: scratch.database)
    try registry.publish(publication("1"))
    try scratch.backup("b")
    try registry.publish(publication("2"), by: .key(4), now: now)
    _ = try EventLog(path: scratch.database).forget([fleet.devices[0]], of: "a", by: .key(4), now: now)
    let before = try entries()
    try scratch.restore("b")
    let after = try entries()
    #expect(Array(after.prefix(3)) == before)
    #expect(after.dropFirst(3).map(\.act) == ["forget-again", "restore"])
    #expect(after[3].facts == [.init("devices", 1), .init("events", before[2].facts[1].number ?? 0)])
    #expect(after[4].author == .thisUser)
    // Once more: nothing is there twice.
    try scratch.restore("b")
    #expect(Array(try entries().prefix(5)) == after)
  }

  @Test func salvageKeepsIt() throws {
    try registry.publish(publication(), by: .key(4), now: now)
    _ = try registry.register("SECRET", of: "codepush", app: "a", platform: "android", now: now)
    try registry.publish(publication(), by: .anybodyHere, now: now)
    let before = try entries()
    let salvage = try Salvage.run(scratch.database, into: scratch.path + "/saved.db")
    #expect(salvage.tables.first { $0.name == "audit" }?.rows == 3)
    #expect(try entries(scratch.path + "/saved.db") == before)
    #expect(try Registry(path: scratch.path + "/saved.db").keys().map(\.platform) == ["android"])
  }
}

extension AuditEntry.Fact {
  fileprivate var number: Int64? { if case .number(let number) = value { number } else { nil } }
}
