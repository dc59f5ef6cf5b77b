import Lifecycle
import Testing

@testable import Store

/// The little that people enter by hand: replaced whole, never in part.
@Suite final class PublicationTests: RegistryTests {
  private func publication(_ label: String = "2.0", at: Int64 = 5, steps: [Double] = [10, 50]) -> Publication {
    Publication(
      app: "a", release: ReleaseLabel(rawValue: label), channel: "beta", platform: "ios",
      publishedAt: Timestamp(rawValue: at),
      rollout: steps.enumerated().map { RolloutStep(at: Timestamp(rawValue: at + Int64($0)), percent: $1) },
      mandatory: steps.count == 1)
  }

  private func known() throws -> [Publication] { try Snapshot(path: scratch.database).publications() }

  @Test func publishedAnewItIsReplacedWhole() throws {
    _ = try EventLog(path: scratch.database)
    try registry.publish(publication())
    #expect(try known() == [publication()])
    try registry.publish(publication(at: 9, steps: [100]))
    #expect(try known() == [publication(at: 9, steps: [100])])
    try registry.publish(publication("3.0"))
    #expect(try known().count == 2)
    #expect(try count(scratch.database, "SELECT count(*) FROM rollout_step") == 3)
  }

  /// Only the one that is named; with its steps, and the audit tells who did.
  @Test func isWithdrawnWhole() throws {
    _ = try EventLog(path: scratch.database)
    for label in ["2.0", "3.0"] { try registry.publish(publication(label)) }
    func withdraw(_ channel: String, _ platform: String?) throws -> Publication? {
      let place = PublicationPlace(
        app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: channel, platform: platform)
      return try registry.withdraw(place, by: .key(7), now: Timestamp(rawValue: 9))
    }
    #expect(try withdraw("beta", nil) == nil && withdraw("production", "ios") == nil)
    #expect(try known().count == 2)
    #expect(try withdraw("beta", "ios") == publication())
    #expect(try known() == [publication("3.0")])
    #expect(try count(scratch.database, "SELECT count(*) FROM rollout_step") == 2)
    #expect(try withdraw("beta", "ios") == nil)
    #expect(try count(scratch.database, "SELECT count(*) FROM audit WHERE act = 'withdraw' AND key = 7") == 1)
  }

  /// What was read stands, or nothing is changed; the audit has what was.
  @Test func aChangeMayHaveACondition() throws {
    _ = try EventLog(path: scratch.database)
    func publish(_ publication: Publication, if condition: PublicationCondition) throws -> PublicationChange {
      try registry.publish(publication, if: condition, now: Timestamp(rawValue: 9))
    }
    let (first, second, other) = (publication(), publication(steps: [10, 0]), publication(steps: [10, 100]))
    #expect(try publish(first, if: .init(match: .any)) == .refused(registered: nil))
    #expect(try publish(first, if: .unchanged(since: nil)) == .done(first))
    #expect(try publish(second, if: .unchanged(since: nil)) == .refused(registered: first))
    #expect(
      try publish(first, if: .unchanged(since: nil)) == .refused(registered: first), "13.1.2 permits nothing else")
    #expect(try publish(second, if: .unchanged(since: first)) == .done(second))
    #expect(try publish(second, if: .unchanged(since: first)) == .done(second), "sent again after a lost answer")
    #expect(try publish(other, if: .unchanged(since: first)) == .refused(registered: second))
    #expect(try publish(other, if: .init(noneMatch: .these([second.tag]))) == .refused(registered: second))
    #expect(try known() == [second])
    let place = PublicationPlace(second)
    func withdraw(if condition: PublicationCondition) throws -> PublicationChange {
      try registry.withdraw(place, if: condition, now: Timestamp(rawValue: 9))
    }
    #expect(try withdraw(if: .unchanged(since: first)) == .refused(registered: second))
    #expect(try withdraw(if: .unchanged(since: second)) == .done(second))
    #expect(try withdraw(if: .unchanged(since: second)) == .refused(registered: nil))
    #expect(try count(scratch.database, "SELECT count(*) FROM audit") == 3)
  }

  /// Of a halt on two channels one alone would be the worse of the two.
  @Test func severalAreRegisteredTogetherOrNotAtAll() throws {
    _ = try EventLog(path: scratch.database)
    func on(_ channel: String, _ steps: [Double]) -> Publication {
      var copy = publication(steps: steps)
      copy.channel = channel
      return copy
    }
    let (beta, production) = (on("beta", [10, 50]), on("production", [10, 50]))
    for one in [beta, production] { try registry.publish(one, now: Timestamp(rawValue: 9)) }
    let halted = [on("beta", [10, 0]), on("production", [10, 0])]
    func halt(over known: [Publication?]) throws -> PublicationClash? {
      let changes = zip(halted, known).map { (publication: $0, known: $1) }
      return try registry.publish(changes, now: Timestamp(rawValue: 9))
    }
    let other = on("production", [10, 100])
    try registry.publish(other, now: Timestamp(rawValue: 9))
    #expect(try halt(over: [beta, production]) == PublicationClash(publication: halted[1], registered: other))
    #expect(try halt(over: [nil, other]) == PublicationClash(publication: halted[0], registered: beta))
    #expect(try Set(known().map(\.tag)) == Set([beta, other].map(\.tag)))
    #expect(try count(scratch.database, "SELECT count(*) FROM audit") == 3)
    #expect(try halt(over: [beta, other]) == nil)
    #expect(try Set(known().map(\.tag)) == Set(halted.map(\.tag)))
    #expect(try count(scratch.database, "SELECT count(*) FROM audit") == 5)
  }

  /// Every field counts, and what is read has the tag of what was registered.
  @Test func tagsTellPublicationsApart() throws {
    _ = try EventLog(path: scratch.database)
    var all = [publication(), publication("3.0"), publication(at: 6), publication(steps: [10]), publication(steps: [])]
    for change: (inout Publication) -> Void in [
      { $0.app = "b" }, { $0.channel = "production" }, { $0.platform = nil }, { $0.mandatory.toggle() },
      { $0.rollout[0].at = Timestamp(rawValue: 4) }, { $0.rollout[0].percent = 12.5 },
    ] {
      var copy = publication()
      change(&copy)
      all.append(copy)
    }
    #expect(Set(all.map(\.tag)).count == all.count)
    for one in all {
      #expect(try registry.publish(one, now: Timestamp(rawValue: 9)).tag == one.tag)
      #expect(try registry.publication(at: PublicationPlace(one))?.tag == one.tag)
    }
  }

  @Test func aFailureLeavesTheOldOne() throws {
    _ = try EventLog(path: scratch.database)
    try registry.publish(publication())
    let breaker = try Connection(path: scratch.database, mode: .write)
    try breaker.execute(
      "CREATE TRIGGER stop BEFORE INSERT ON rollout_step WHEN NEW.percent = 70 BEGIN SELECT RAISE(ABORT, 'no'); END")
    #expect(throws: StoreError.self) { try registry.publish(publication(at: 9, steps: [20, 70])) }
    #expect(try known() == [publication()])
    try breaker.execute("DROP TRIGGER stop")
    try registry.publish(publication(at: 9, steps: [20, 70]))
    #expect(try known() == [publication(at: 9, steps: [20, 70])])
  }

  /// An import goes on where it was, and a change of the file or a damaged note begins anew.
  @Test func positionsOfImports() throws {
    let position = ImportPosition(size: 10, offset: 4, lines: 2, index: 3)
    try registry.setImportPosition(position, of: "x")
    #expect(try registry.importPosition(of: "x") == position)
    #expect(try registry.importPosition(of: "y") == nil)
    try Connection(path: scratch.database, mode: .write).execute(
      "UPDATE meta SET value = '10 4 x' WHERE key = 'import x'")
    #expect(try registry.importPosition(of: "x") == nil)
    try registry.setImportPosition(nil, of: "x")
    #expect(try count(scratch.database, "SELECT count(*) FROM meta WHERE key LIKE 'import %'") == 0)
  }

  /// What a receiver was told never goes back.
  @Test func positionsOfExportsOnlyRise() throws {
    try registry.setExportPosition("otel", 50, now: Timestamp(rawValue: 7))
    try registry.setExportPosition("otel", 20, now: nil)
    #expect(try registry.exportPosition("otel") == 50)
    #expect(try registry.exportPosition("other") == 0)
  }
}

/// SQLite's codes as kinds: who is to blame decides whether a request is answered 400 or 503.
@Suite struct StoreErrorTests {
  @Test(
    arguments: [
      (11, .corrupt), (11 | 1 << 8, .corrupt), (26, .notADatabase), (8, .readOnly), (14, .readOnly), (5, .locked),
      (6, .locked), (13, .full), (10, .inputOutput), (10 | 12 << 8, .inputOutput), (9, .tookTooLong),
      (1, .statement(code: 1)),
    ] as [(Int32, StoreError.Kind)])
  func codes(_ row: (code: Int32, kind: StoreError.Kind)) {
    let error = StoreError(code: row.code, path: "p", reason: "r")
    #expect(error.kind == row.kind)
    #expect(!error.blamesContent)
    #expect(error.description.contains("p"))
  }

  @Test(
    arguments: [
      (19 | 1 << 8, true), (19 | 5 << 8, true), (18, true), (20, true), (19 | 6 << 8, false), (19 | 8 << 8, false),
    ] as [(Int32, Bool)])
  func blame(_ row: (code: Int32, isContent: Bool)) {
    #expect(StoreError(code: row.code, path: "p", reason: "r").blamesContent == row.isContent)
  }
}
