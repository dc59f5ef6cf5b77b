import Foundation
import Lifecycle
import Testing

@testable import Store

/// A continuous copy: what it holds at each moment, and what it refuses.
@Suite struct CopyTests {
  let scratch: Scratch
  let target: FolderTarget
  let clock = Clock()
  let fleet = SmallFleet(300, seed: 77)

  /// Moves on with every look, by a second.
  final class Clock {
    var now = Timestamp(rawValue: SmallFleet.start)
    func next() -> Timestamp {
      now = now + .seconds(1)
      return now
    }
  }

  init() throws {
    scratch = try Scratch()
    target = FolderTarget(scratch.path + "/copy")
    try store([fleet.part(0..<100)], in: scratch.database)
  }

  private func replicator(_ settings: Replicator.Settings = .init()) throws -> Replicator {
    let clock = clock
    return try Replicator(of: scratch.database, to: target, settings) { clock.next() }
  }

  @discardableResult
  private func restore(at moment: Timestamp? = nil, name: String = "restored.db") throws -> Restore {
    try? FileManager.default.removeItem(atPath: scratch.path + "/" + name)
    return try Restore.run(
      target, at: moment, to: scratch.path + "/" + name, Restore.Options(), now: Timestamp(rawValue: 1))
  }

  private func expectRefused(_ code: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(sourceLocation: sourceLocation) {
      try restore()
    } throws: { error in
      guard case .copy(let problem) = (error as? StoreError)?.kind else { return false }
      return problem.code == code
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "/restored.db"), sourceLocation: sourceLocation)
  }

  private func parts() throws -> [String] { try target.names().filter { CopyName($0) != nil }.sorted() }

  @Test func everyMomentIsThere() throws {
    let replicator = try replicator()
    var moments: [Timestamp] = []
    for end in [100, 150, 151, 300] {
      if end > 100 { try store([fleet.part(0..<end)], in: scratch.database) }
      _ = try replicator.run()
      moments.append(clock.now)
    }
    try restore()
    try expectHolds(scratch.path + "/restored.db", [fleet.batch])
    for (moment, end) in zip(moments, [100, 150, 151, 300]) {
      let restored = try restore(at: moment)
      #expect(restored.at == moment)
      #expect(restored.events == end)
      expectSound(scratch.path + "/restored.db")
      try expectHolds(scratch.path + "/restored.db", [fleet.part(0..<end)])
    }
  }

  /// An increment is what changed, and nothing where nothing did.
  @Test func anIncrementCostsWhatChanged() throws {
    let replicator = try replicator()
    let first = try replicator.run()
    #expect(first.isSurvey)
    #expect(try replicator.run() == Replicator.Step())
    let log = try EventLog(path: scratch.database)
    _ = try log.append([fleet.part(100..<101)])
    let step = try replicator.run()
    #expect(!step.isSurvey && step.pages > 0 && step.pages * 2 < first.pages)
  }

  /// Others may have the log begin anew at any time: nothing is lost, at most all pages are compared.
  @Test(arguments: ["PASSIVE", "RESTART", "TRUNCATE"]) func checkpointsOfOthersLoseNothing(_ mode: String) throws {
    let replicator = try replicator()
    let log = try EventLog(path: scratch.database)
    for number in 100..<140 {
      _ = try log.append([fleet.part(number..<(number + 1))])
      if number % 3 == 0 { try checkpoint(mode) }
      if number % 4 == 0 { _ = try replicator.run() }
    }
    _ = try replicator.run()
    #expect(try restore().events == 140)
    expectSound(scratch.path + "/restored.db")
  }

  private func checkpoint(_ mode: String) throws {
    let connection = try Connection(path: scratch.database, mode: .write)
    try connection.execute("PRAGMA busy_timeout = 5")
    switch mode {
    case "PASSIVE": try? connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    case "RESTART": try? connection.execute("PRAGMA wal_checkpoint(RESTART)")
    default: try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// The log that is let go begins anew under the copy's feet, at whatever moment.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func aLogThatBeginsAnewIsFollowedOrComparedAnew(_ seed: UInt64) throws
  {
    var dice = Dice(state: seed)
    let database = scratch.database
    let connection = try Connection(path: database, mode: .write)
    try connection.execute("PRAGMA wal_autocheckpoint = 0")
    var position: LogPosition?
    var known: [UInt32: PageHash] = [:]
    let log = try EventLog(path: database)
    for number in 100..<180 {
      _ = try log.append([fleet.part(number..<(number + 1))])
      if Int.random(in: 0..<3, using: &dice) == 0 { try connection.execute("PRAGMA wal_checkpoint(PASSIVE)") }
      guard Int.random(in: 0..<4, using: &dice) == 0 else { continue }
      let file = try WriteAheadLog(database: database, pageSize: 16384)
      let changes = position.flatMap { file.changes(since: $0) }
      let found = file.all()
      let all = try #require(found)
      for (page, value) in changes?.pages ?? [:] { known[page] = value.hash }
      // Where it was followed, what is known is what the database holds.
      if changes != nil { try expectKnown(known, all, database) } else { known = try pages(all, database) }
      position = (changes ?? all).end
    }
  }

  private func pages(_ log: LogChanges, _ database: String) throws -> [UInt32: PageHash] {
    let connection = try Connection(path: database, mode: .read)
    _ = try connection.integer("SELECT 1 FROM meta")
    let pages = try DatabasePages(connection, size: 16384)
    var (found, page) = ([UInt32: PageHash](), [UInt8](repeating: 0, count: 16384))
    for number in 1...max(log.pageCount ?? 0, try pages.count()) {
      try pages.read(number, into: &page)
      found[UInt32(number)] = log.pages[UInt32(number)]?.hash ?? page.withUnsafeBytes { PageHash($0) }
    }
    return found
  }

  private func expectKnown(_ known: [UInt32: PageHash], _ log: LogChanges, _ database: String) throws {
    #expect(try pages(log, database) == known)
  }

  @Test func aGapIsRefused() throws {
    try makeSome()
    let names = try parts()
    try target.remove(names[2])
    expectRefused("copy_gap")
    // What was before is whole.
    let before = try #require(CopyName(names[1]))
    #expect(try restore(at: before.at).at == before.at)
  }

  @Test func aMissingEndIsRefused() throws {
    try makeSome()
    try target.remove(try #require(try parts().last))
    expectRefused("copy_gap")
  }

  /// Any byte of any part.
  @Test(arguments: 1...12 as ClosedRange<UInt64>) func damageIsRefused(_ seed: UInt64) throws {
    try makeSome()
    var dice = Dice(state: seed)
    let name = try #require(try parts().randomElement(using: &dice))
    var object = try bytes(target.address + "/" + name)
    if seed % 4 == 0 {
      object.removeLast(Int.random(in: 1...object.count, using: &dice))
    } else {
      object[Int.random(in: object.indices, using: &dice)] ^= UInt8.random(in: 1...255, using: &dice)
    }
    try write(object, to: target.address + "/" + name)
    expectRefused("copy_damaged")
  }

  /// Another's part of the same name has the right checksum and does not follow.
  @Test func aPartOfAnotherCopyDoesNotFollow() throws {
    try makeSome()
    let names = try parts()
    let name = try #require(CopyName(names[1]))
    var part = try CopyPart(try bytes(target.address + "/" + names[1]), name: name)
    part.previous[0] ^= 1
    try write(part.encoded().bytes, to: target.address + "/" + names[1])
    expectRefused("copy_damaged")
  }

  @Test func beforeTheFirstStateThereIsNothing() throws {
    expectRefused("no_copy")
    try makeSome()
    #expect(throws: StoreError.self) { try restore(at: Timestamp(rawValue: SmallFleet.start - 1)) }
  }

  private func makeSome() throws {
    let replicator = try replicator()
    _ = try replicator.run()
    for number in 100..<105 {
      try store([fleet.part(number..<(number + 1))], in: scratch.database)
      _ = try replicator.run()
    }
  }

  /// The next process goes on with the copy: what did not change is not sent again.
  @Test func theNextProcessGoesOn() throws {
    try makeSome()
    try store([fleet.part(105..<106)], in: scratch.database)
    let before = try parts().count
    let step = try replicator().run()
    #expect(step.isSurvey && step.pages < 20)
    #expect(try parts().count == before + 1)
    #expect(try restore().events == 106)
  }

  @Test func oneProcessCopiesADatabase() throws {
    let first = try replicator()
    #expect(throws: StoreError.copy(.alreadyCopied, scratch.database)) { try replicator() }
    _ = try first.run()
  }

  /// Of generations that were replaced, those are kept from which a moment within the time can be restored.
  @Test func oldGenerationsGo() throws {
    var settings = Replicator.Settings()
    (settings.renews, settings.keeps) = (.hours(1), .hours(3))
    let replicator = try replicator(settings)
    for _ in 0..<8 {
      _ = try replicator.run()
      clock.now = clock.now + .hours(1)
    }
    let generations = Set(try target.names().map { String($0.prefix { $0 != "/" }) })
    #expect(generations.count == 4, "\(generations)")
    #expect(try restore(at: clock.now - .hours(3)).events == 100)
  }

  private func problem(_ body: () throws -> Void) -> CopyProblem? {
    do { try body() } catch {
      if case .copy(let problem) = (error as? StoreError)?.kind { return problem }
    }
    return nil
  }

  /// A machine that begins anew with the settings of the one before does not hide what that one copied.
  @Test func theCopyOfAnotherDatabaseIsLeftAlone() throws {
    let replicator = try replicator()
    _ = try replicator.run()
    let other = scratch.path + "/other.db"
    try store([fleet.part(0..<10)], in: other)
    let clock = clock
    let stranger = try Replicator(of: other, to: target) { clock.next() }
    guard case .ofAnother = problem({ _ = try stranger.run() }) else { Issue.record("it copied"); return }
    try store([fleet.batch], in: scratch.database)
    _ = try replicator.run()
    #expect(try restore().events == 300)
    // What was restored goes on with the copy.
    clock.now = clock.now + .hours(1)
    let restored = try Replicator(of: scratch.path + "/restored.db", to: target) { clock.next() }
    _ = try restored.run()
    #expect(try restore(name: "again.db").events == 300)
  }

  /// Where two began at once, or a command stores for both, the newest is not taken for the one that is meant.
  @Test func copiesOfTwoDatabasesAreToldApart() throws {
    let replicator = try replicator()
    _ = try replicator.run()
    let other = scratch.path + "/other.db"
    try store([fleet.part(0..<10)], in: other)
    let (clock, elsewhere) = (clock, FolderTarget(scratch.path + "/elsewhere"))
    _ = try Replicator(of: other, to: elsewhere) { clock.next() }.run()
    for name in try FileManager.default.contentsOfDirectory(atPath: elsewhere.address) {
      try FileManager.default.copyItem(atPath: elsewhere.address + "/" + name, toPath: target.address + "/" + name)
    }
    expectRefused("copies_of_several")
  }

  /// A device that was forgotten stays so in every state that is restored.
  @Test func forgottenDevicesStayForgotten() throws {
    let replicator = try replicator()
    _ = try replicator.run()
    let moment = clock.now
    let device = fleet.batch.events[0].device
    let log = try EventLog(path: scratch.database)
    _ = try log.forget([device], now: clock.now)
    _ = try replicator.run()
    let restored = try restore(at: moment)
    #expect(restored.forgotten == 1)
    #expect(try traces(of: device, in: scratch.path).filter { $0.hasPrefix("restored") } == [])
  }

  /// Cut anywhere, or of any bytes: refused, and nothing else happens.
  @Test func noBytesBreakTheReaders() throws {
    try makeSome()
    let name = try #require(try parts().last)
    let (part, object) = (try #require(CopyName(name)), try bytes(target.address + "/" + name))
    var dice = Dice(state: 5)
    for length in stride(from: 0, to: object.count, by: 97) {
      #expect(throws: DamagedArchive.self) { try CopyPart(Array(object.prefix(length)), name: part) }
      _ = try? CopyPart(head: Array(object.prefix(length)), name: part)
      let noise = (0..<40).map { _ in UInt8.random(in: 32...127, using: &dice) }
      #expect(CopyName(String(decoding: noise, as: UTF8.self)) == nil && CopyLatest(noise) == nil)
      #expect(throws: DamagedArchive.self) { try CopyPart(head: object.prefix(8) + noise + object, name: part) }
    }
  }

  /// What could not be sent is sent by the next step, and nothing of it twice.
  @Test func whatCouldNotBeSentIsSentLater() throws {
    let flaky = FlakyTarget(target)
    let clock = clock
    let replicator = try Replicator(of: scratch.database, to: flaky) { clock.next() }
    var failures = 0
    for number in 100..<160 {
      try store([fleet.part(number..<(number + 1))], in: scratch.database)
      do { _ = try replicator.run() } catch { failures += 1 }
    }
    flaky.isFlaky = false
    _ = try replicator.run()
    #expect(failures > 10)
    #expect(try restore().events == 160)
    expectSound(scratch.path + "/restored.db")
  }

  /// Every third object does not arrive, and every sixth arrives though it is said not to.
  private final class FlakyTarget: CopyTarget {
    let inner: FolderTarget
    var (count, isFlaky) = (0, true)
    init(_ inner: FolderTarget) { self.inner = inner }
    var address: String { inner.address }
    func prepare(_ known: String?, _ generation: String?) throws(StoreError) -> String {
      try inner.prepare(known, generation)
    }
    let (isReadable, mostToReread) = (true, Int.max)
    func put(_ name: String, _ bytes: [UInt8]) throws(StoreError) {
      count += 1
      if !isFlaky || count % 3 != 0 || count % 6 == 0 { try inner.put(name, bytes) }
      if isFlaky, count % 3 == 0 { throw .copy(.unreachable("it is flaky"), address) }
    }
    func names() throws(StoreError) -> [String] { try inner.names() }
    func get(_ name: String, first count: Int?) throws(StoreError) -> [UInt8]? { try inner.get(name, first: count) }
    func remove(_ name: String) throws(StoreError) { try inner.remove(name) }
  }
}
