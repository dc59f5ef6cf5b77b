import Dispatch
import Foundation
import Lifecycle
import Synchronization
import Testing

@testable import Store

/// A fold reads at one moment and stores at a later one; what others did in between decides whether it may.
@Suite struct FoldRaceTests {
  let scratch: Scratch
  let fleet = SmallFleet(400, seed: 91)
  init() throws {
    scratch = try Scratch()
    try store([fleet.part(0..<200)], in: scratch.database)
    _ = try EventLog(path: scratch.database).append([fleet.part(200..<400)])
  }

  private func others(_ gone: DeviceHash) -> EventBatch { fleet.part(0..<400) { $0.device != gone } }

  /// Two programs fold the same events: they are counted once.
  @Test func twoFoldsAtOnce() throws {
    let one = try Folder(path: scratch.database)
    let other = try Folder(path: scratch.database)
    let (first, second) = (try one.prepare(limit: 200, cores: 2), try other.prepare(limit: 120, cores: 2))
    try other.store(#require(second))
    try one.store(#require(first))
    #expect(try one.watermark() == 320)
    try expectHolds(scratch.database, [fleet.batch])
    try one.foldAll()
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  /// In pieces, each step read while the one before is stored: the same as one by one.
  @Test(arguments: [1, 7, 64, 1000]) func alone(_ batch: Int) throws {
    #expect(try EventLog(path: scratch.database).foldAll(batch: batch, isAlone: true) == 200)
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  /// Two programs do so at once, and a third one folds as it always did.
  @Test func allAloneAtOnce() throws {
    let failed = Mutex("")
    let path = scratch.database
    DispatchQueue.concurrentPerform(iterations: 3) { program in
      do { _ = try EventLog(path: path).foldAll(batch: 20 + program, isAlone: program < 2) } catch {
        failed.withLock { $0 += "\(error)" }
      }
    }
    #expect(failed.withLock { $0 } == "")
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  /// A device is forgotten after a step was read in pieces, and after its shards were merged.
  @Test func aForgettingAfterReadingInPieces() throws {
    let folder = try Folder(path: scratch.database)
    let (first, gone) = (try FoldStep.read(scratch.database, after: 200, upTo: 400), fleet.devices[6])
    #expect(first.tails.count > 1 && first.tails.reduce(0) { $0 + $1.count } == 200)
    _ = try EventLog(path: scratch.database).forget([gone], now: Timestamp(rawValue: fleet.end))
    try folder.store(folder.merge(first, cores: 2))
    #expect(try folder.watermark() == 200)
    let second = try FoldStep.read(scratch.database, after: 200, upTo: 400)
    try folder.store(folder.merge(second, cores: 2))
    #expect(try folder.watermark() == 400)
    try expectHolds(scratch.database, [others(gone)])
    #expect(try traces(of: gone, in: scratch.path) == [])
    expectSound(scratch.database)
  }

  /// Another program folds what is being read in pieces and takes it out: the step is of no use, and nothing is wrong with the file.
  @Test func aRetentionBetweenPieces() throws {
    let folder = try Folder(path: scratch.database)
    let first = try FoldStep.read(scratch.database, after: 200, upTo: 300)
    try scratch.retain(before: fleet.end, dropping: true)
    _ = try FoldStep.read(scratch.database, after: 300, upTo: 400)
    try folder.store(folder.merge(first, cores: 2))
    #expect(try EventLog(path: scratch.database).foldAll(isAlone: true) == 0)
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  /// A device is forgotten in between: what was read of it before must not come back.
  @Test func aForgettingInBetween() throws {
    let folder = try Folder(path: scratch.database)
    let read = try folder.prepare(limit: 200, cores: 2)
    let gone = fleet.devices[6]
    _ = try EventLog(path: scratch.database).forget([gone], now: Timestamp(rawValue: fleet.end))
    try folder.store(#require(read))
    #expect(try traces(of: gone, in: scratch.path) == [])
    try expectHolds(scratch.database, [others(gone)])
    try folder.foldAll()
    try expectHolds(scratch.database, [others(gone)])
    #expect(try traces(of: gone, in: scratch.path) == [])
    expectSound(scratch.database)
  }

  /// Another program folds all of them and takes them out in between.
  @Test func aRetentionInBetween() throws {
    let folder = try Folder(path: scratch.database)
    let read = try folder.prepare(limit: 200, cores: 2)
    try scratch.retain(before: fleet.end, dropping: true)
    try folder.store(#require(read))
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  /// Events whose shards are gone, in an archive or not, cannot be folded again: that is refused, not begun.
  @Test func whatIsGoneIsNotFoldedAnew() throws {
    try scratch.retain(before: SmallFleet.start + 100 * SmallFleet.hour)
    let before = try told(scratch.database)
    try Connection(path: scratch.database, mode: .write).execute("UPDATE meta SET value = 50 WHERE key = 'folded'")
    #expect {
      try EventLog(path: scratch.database).foldAll()
    } throws: { ($0 as? StoreError)?.kind == .refused(.eventsGone(upTo: 100, watermark: 50)) }
    try Connection(path: scratch.database, mode: .write).execute("UPDATE meta SET value = 400 WHERE key = 'folded'")
    #expect(try told(scratch.database) == before)
  }

  /// Another program removes strings that this one remembers the numbers of.
  @Test func stringsThatWentInBetween() throws {
    let log = try EventLog(path: scratch.database)
    func batch(_ identity: UInt64, _ device: DeviceHash) -> EventBatch {
      var batch = EventBatch(received: Timestamp(rawValue: SmallFleet.start))
      batch.contexts = [Context(app: "a", channel: "rare", platform: "watch", appVersion: "9")]
      batch.names += ["9.9.9", "rare reason"]
      batch.events = [
        Event(
          at: Timestamp(rawValue: SmallFleet.start), device: device, identity: identity, context: 0, stage: .failed,
          trigger: .unknown, release: NameIndex(rawValue: 1))
      ]
      batch.events[0].reason = NameIndex(rawValue: 2)
      return batch
    }
    let (one, two) = (DeviceHash(rawValue: 1 << 60 | 7), DeviceHash(rawValue: 1 << 61 | 9))
    _ = try log.append([batch(1, one)])
    _ = try EventLog(path: scratch.database).forget([one], now: Timestamp(rawValue: fleet.end))
    #expect(try count(scratch.database, "SELECT count(*) FROM context WHERE channel = 'rare'") == 0)
    // Meanwhile the numbers are given to others.
    var other = batch(2, two)
    other.contexts[0].channel = "other"
    other.names[1] = "8.8.8"
    _ = try EventLog(path: scratch.database).append([other])
    _ = try log.append([batch(3, two)])
    try log.foldAll()
    try expectHolds(scratch.database, [fleet.batch, other, batch(3, two)])
    expectSound(scratch.database)
  }

  /// Strings of a transaction that was refused have no numbers: the next one gives them anew.
  @Test func stringsOfARefusedTransaction() throws {
    let log = try EventLog(path: scratch.database)
    func batch(_ label: String, _ identity: UInt64) -> EventBatch {
      var batch = EventBatch(received: Timestamp(rawValue: SmallFleet.start))
      batch.contexts = [Context(app: "a", channel: label, platform: label, appVersion: label)]
      batch.names += [label]
      batch.events = [
        Event(
          at: Timestamp(rawValue: SmallFleet.start), device: fleet.devices[0], identity: identity, context: 0,
          stage: .ready, trigger: .unknown, release: NameIndex(rawValue: 1))
      ]
      return batch
    }
    let breaker = try Connection(path: scratch.database, mode: .write)
    try breaker.execute("CREATE TRIGGER stop BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'no'); END")
    #expect(throws: StoreError.self) { try log.append([batch("x", 1), batch("y", 2)]) }
    try breaker.execute("DROP TRIGGER stop")
    for (number, label) in ["y", "x", "z"].enumerated() { _ = try log.append([batch(label, UInt64(number) + 10)]) }
    try log.foldAll()
    try expectHolds(scratch.database, [fleet.batch, batch("y", 10), batch("x", 11), batch("z", 12)])
    expectSound(scratch.database)
  }

  /// Whoever asks while events go out and come back always sees the same.
  @Test(.timeLimit(.minutes(10))) func readersSeeNothingOfRetention() throws {
    try EventLog(path: scratch.database).foldAll()
    let (expected, lagsBefore) = (try told(scratch.database), try lags(scratch.database))
    let isDone = Atomic(false)
    let failed = Mutex("")
    let ended = DispatchGroup()
    let (scratch, end) = (scratch, fleet.end)
    nonisolated(unsafe) let folder = scratch
    DispatchQueue(label: "retention").async(group: ended) {
      do {
        for _ in 0..<4 where !isDone.load(ordering: .relaxed) {
          try folder.retain(before: end)
          try folder.putBack()
          try FileManager.default.removeItem(atPath: folder.archives)
        }
      } catch { failed.withLock { $0 = "\(error)" } }
      isDone.store(true, ordering: .relaxed)
    }
    var seen = 0
    while !isDone.load(ordering: .relaxed) || seen < 3 {
      #expect(try told(scratch.database) == expected)
      #expect(try lags(scratch.database) == lagsBefore)
      seen += 1
    }
    ended.wait()
    #expect(failed.withLock { $0 } == "")
  }
}
