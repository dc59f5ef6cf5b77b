import Foundation
import Lifecycle
import Testing

@testable import Store

/// A device that was forgotten comes back through no archive.
@Suite struct PutBackForgottenTests {
  let scratch: Scratch
  let fleet = SmallFleet(300, seed: 21)
  let gone: DeviceHash
  init() throws {
    scratch = try Scratch()
    gone = fleet.devices[3]
  }

  private func forget(at number: Int64) throws {
    let now = Timestamp(rawValue: SmallFleet.start + number * SmallFleet.hour)
    #expect(try EventLog(path: scratch.database).forget([gone], now: now).isComplete)
  }

  private func isOther(_ event: Event) -> Bool { event.device != gone }

  /// An operator's copy of an archive from before still holds it.
  @Test func fromACopyOfBefore() throws {
    try store([fleet.batch], in: scratch.database)
    try scratch.retain(before: fleet.end)
    let old = try bytes(scratch.archives + "/events-1-300.uptk")
    try forget(at: 300)
    try write(old, to: scratch.archives + "/copy.uptk")
    let own = fleet.batch.events.count { !isOther($0) }
    #expect(try scratch.putBack(["copy.uptk"]) == [PutBack(accepted: 0, duplicate: 300 - own, forgotten: own)])
    #expect(try scratch.putBack(["events-1-300.uptk"]) == [PutBack(accepted: 300 - own)])
    try FileManager.default.removeItem(atPath: scratch.archives + "/copy.uptk")
    try expectHolds(scratch.database, [fleet.part(0..<300, where: isOther)])
    expectSound(scratch.database)
    #expect(try traces(of: gone, in: scratch.path) == [])
  }

  /// Neither into a backup from before, which forgets it again as it is restored; and the archive that was written anew
  /// meanwhile is still that of the removal.
  @Test func intoARestoredBackup() throws {
    try store([fleet.part(0..<200)], in: scratch.database)
    try scratch.retain(before: fleet.end)
    try store([fleet.part(200..<300)], in: scratch.database)
    try scratch.backup("b")
    try forget(at: 300)
    #expect(try scratch.restore("b").forgotten == 1)
    let own = fleet.part(0..<200).events.count { !isOther($0) }
    #expect(try scratch.putBack() == [PutBack(accepted: 200 - own)])
    #expect(try rows(scratch.database).map { Int64($0.split(separator: " ")[0]) ?? 0 } == numbersOfOthers())
    try expectHolds(scratch.database, [fleet.part(0..<300, where: isOther)])
    expectSound(scratch.database)
  }

  private func numbersOfOthers() -> [Int64] {
    fleet.batch.events.indices.filter { isOther(fleet.batch.events[$0]) }.map { Int64($0) + 1 }
  }

  /// What it sent after it was forgotten is a new device's.
  @Test func whatCameAfterwardsDoesComeBack() throws {
    try store([fleet.part(0..<100)], in: scratch.database)
    try scratch.backup("b")
    try forget(at: 100)
    try store([fleet.part(101..<300)], in: scratch.database)
    try scratch.retain(before: fleet.end)
    try scratch.restore("b")
    let later = fleet.part(0..<100, where: isOther)
    #expect(try scratch.putBack().map(\.forgotten) == [0])
    try expectHolds(scratch.database, [later, fleet.part(101..<300)])
    expectSound(scratch.database)
  }

  /// Nobody knows when it came, so it may be of before.
  @Test func whatHasNoReceiptStaysAway() throws {
    var batch = fleet.batch
    batch.receivedEach = []
    try store([batch], in: scratch.database)
    try scratch.retain(before: fleet.end)
    let old = try bytes(scratch.archives + "/events-1-300.uptk")
    try forget(at: 10)
    try write(old, to: scratch.archives + "/copy.uptk")
    let own = fleet.batch.events.count { !isOther($0) }
    #expect(try scratch.putBack(["copy.uptk"]).map(\.forgotten) == [own])
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == 0)
  }

  /// Nor do words that only it said: an archive that is written anew leaves them out.
  @Test func itsWordsGoFromTheArchiveToo() throws {
    var batch = fleet.batch
    batch.contexts.append(Context(app: "a", channel: "only-theirs", platform: "theirs"))
    batch.names.append("their-release")
    let mark = try #require(batch.events.lastIndex { !isOther($0) })
    batch.events[mark].context = 4
    batch.events[mark].release = NameIndex(rawValue: 5)
    try store([batch], in: scratch.database)
    try scratch.retain(before: fleet.end)
    try forget(at: 300)
    let left = String(decoding: try bytes(scratch.archives + "/events-1-300.uptk"), as: UTF8.self)
    #expect(left.contains("production") && !left.contains("only-theirs") && !left.contains("their-release"))
  }
}
