import Lifecycle
import Testing

@testable import Store

/// A key that looks idle is revoked: what nobody noted is not known, and never `never`.
@Suite final class KeyUsesTests: RegistryTests {
  let began = Timestamp(rawValue: 1_709_540_000_000)
  private func hour(_ number: Int64) -> Timestamp { Timestamp(rawValue: number * 3_600_000) }
  private func key() throws -> AccessKey { try registry.createKey(app: "a", scope: .read, now: began).key }

  @Test func withoutNotesNothingIsKnown() throws {
    let uses = try registry.keyUses()
    #expect(try uses.since == nil && uses.last(of: key()) == .notKnown)
  }

  @Test func ofOlderKeysOnlyWhatCameSinceIsKnown() throws {
    let (idle, used) = (try key(), try key())
    try registry.note([used.id: hour(5)], since: began)
    let new = try key()
    try registry.note([:], since: began + .hours(9))
    let uses = try registry.keyUses()
    #expect(uses.since == began, "a later start begins nothing anew")
    #expect(uses.last(of: idle) == .notKnown && uses.last(of: used) == .hour(hour(5)) && uses.last(of: new) == .never)
  }

  /// Another service with the same keys may be later, and a clock be set back.
  @Test func anEarlierHourTakesNoPlaceOfALaterOne() throws {
    let key = try key()
    for hour in [hour(7), hour(5)] { try registry.note([key.id: hour], since: began) }
    #expect(try registry.keyUses().last(of: key) == .hour(hour(7)))
  }

  @Test func aRevokedKeyKeepsItsLastUse() throws {
    let key = try key()
    try registry.note([key.id: hour(5)], since: began)
    #expect(try registry.revokeKey(key.id, now: began))
    #expect(try registry.keyUses().last(of: registry.keys()[0]) == .hour(hour(5)))
  }

  @Test func anHourBeginsAtItsFirstMillisecond() {
    #expect(Timestamp(rawValue: 7_199_999).hourOfUse == hour(1) && hour(2).hourOfUse == hour(2))
  }

  /// What the replaced database noted goes before, by the key itself: its number may be another's in the backup.
  @Test func aBackupInItsPlaceKnowsLaterUses() throws {
    try registry.note([:], since: began)
    let (old, idle) = (try key(), try key())
    try registry.note([old.id: hour(5)], since: began)
    try scratch.backup("b")
    let revoked = try key()
    try registry.note([old.id: hour(8), revoked.id: hour(9)], since: began)
    #expect(try registry.revokeKey(revoked.id, now: began))
    try scratch.restore("b")
    let restored = try Registry(path: scratch.database)
    let (uses, keys) = (try restored.keyUses(), try restored.keys())
    #expect(uses.since == nil, "what happened since the backup was made, nobody noted here")
    #expect(keys.map(uses.last(of:)) == [.hour(hour(8)), .notKnown, .hour(hour(9))] && keys[1].id == idle.id)
    try restored.note([:], since: began + .hours(9))
    #expect(try restored.keyUses().last(of: keys[1]) == .notKnown)
  }

  /// Restored elsewhere it knows what it knew; whether a key was used since it does not.
  @Test func aBackupElsewhereBeginsItsNotesAnew() throws {
    try registry.note([:], since: began)
    let (used, idle) = (try key(), try key())
    try registry.note([used.id: hour(5)], since: began)
    try scratch.backup("b")
    _ = try Restore.run(scratch.path + "/b", to: scratch.path + "/other.db", .init(), now: began)
    let uses = try Registry(path: scratch.path + "/other.db").keyUses()
    #expect(uses.since == nil && uses.last(of: used) == .hour(hour(5)) && uses.last(of: idle) == .notKnown)
  }

  @Test func salvageKeepsUsesAndBeginsAnew() throws {
    try registry.note([:], since: began)
    let (used, idle) = (try key(), try key())
    try registry.note([used.id: hour(5)], since: began)
    try Connection(path: scratch.database, mode: .write).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    _ = try Salvage.run(scratch.database, into: scratch.path + "/saved.db")
    let uses = try Registry(path: scratch.path + "/saved.db").keyUses()
    #expect(uses.last(of: used) == .hour(hour(5)) && uses.last(of: idle) == .notKnown)
  }
}
