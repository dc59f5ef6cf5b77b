import Lifecycle
import Testing

@testable import Store

@Suite final class AccessKeyTests: RegistryTests {
  let now = Timestamp(rawValue: 1_709_540_000_000)

  @Test func aKeyIsFoundByItsSecretAlone() throws {
    let made = try registry.createKey(app: "a", scope: .read, now: now)
    #expect(try registry.keyRing().find(made.secret)?.id == made.key.id)
    #expect(try registry.keyRing().find(made.secret + "x") == nil)
    #expect(try registry.keyRing().find("") == nil)
    #expect(made.secret.hasPrefix("upk_read_"))
  }

  @Test func aRevokedKeyIsNot() throws {
    let made = try registry.createKey(app: "a", scope: .ingest, now: now)
    #expect(try registry.revokeKey(made.key.id, now: now))
    #expect(try !registry.revokeKey(made.key.id, now: now))
    #expect(try registry.keyRing().find(made.secret) == nil)
    #expect(try registry.keyRing().isEmpty)
  }

  /// Nothing was ever locked, or it stays locked: in this program, in the next, and where the rows are lost.
  @Test func onceAKeyWasMadeNothingIsOpen() throws {
    #expect(try registry.keyRing().isOpen)
    let made = try registry.createKey(app: "a", scope: .ingest, now: now)
    #expect(try !registry.keyRing().isOpen)
    #expect(try registry.revokeKey(made.key.id, now: now))
    #expect(try !registry.keyRing().isOpen && registry.keyRing().isEmpty)
    #expect(try !Registry(path: scratch.database).keyRing().isOpen)
    try Connection(path: scratch.database, mode: .write).execute("DELETE FROM key")
    #expect(try !registry.keyRing().isOpen)
  }

  /// Files of versions that set no mark: their keys say it.
  @Test func aFileOfAnEarlierVersionIsClosedByItsKeys() throws {
    let made = try registry.createKey(app: "a", scope: .ingest, now: now)
    #expect(try registry.revokeKey(made.key.id, now: now))
    try Connection(path: scratch.database, mode: .write).execute("DELETE FROM meta WHERE key = 'keyed'")
    #expect(try !registry.keyRing().isOpen)
  }

  @Test(arguments: Scope.allCases) func aScopeAllowsItself(_ scope: Scope) {
    #expect(scope.allows(scope))
    #expect(scope == .admin || !scope.allows(.admin))
    // Counts are of all apps, and every other key is of one.
    #expect(Scope.admin.allows(scope) == (scope != .metrics))
    // A pipeline registers releases and asks for the verdict.
    #expect(Scope.publish.allows(scope) == (scope == .publish || scope == .read))
    #expect(scope.allows(.publish) == (scope == .publish || scope == .admin))
  }
}
