import Dispatch
import Foundation
import Lifecycle
import Testing

@testable import Store

/// A forgotten device is nowhere, as if it had never been, and everybody else counts as before.
@Suite struct ForgettingTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// What became of the events before the devices were forgotten.
  enum Past: CaseIterable { case folded, waiting, archived, archivedInPart, putBack }

  private func prepare(_ past: Past, _ fleet: SmallFleet) throws {
    let half = SmallFleet.start + 150 * SmallFleet.hour
    switch past {
    case .folded: try store([fleet.batch], in: scratch.database)
    case .waiting:
      try store([fleet.part(0..<200)], in: scratch.database)
      _ = try EventLog(path: scratch.database).append([fleet.part(200..<300)])
    case .archived, .archivedInPart, .putBack:
      try store([fleet.batch], in: scratch.database)
      try scratch.retain(before: past == .archived ? fleet.end : half)
      if past == .putBack { try scratch.putBack() }
    }
  }

  @Test(arguments: Past.allCases, 1...3 as ClosedRange<UInt64>)
  func nothingOfThemIsLeftAndOthersCountAsBefore(_ past: Past, _ seed: UInt64) throws {
    let fleet = SmallFleet(300, seed: seed &+ 100)
    try prepare(past, fleet)
    let gone = Set([fleet.devices[Int(seed)], fleet.devices[7]])
    // Packed columns and archives hold a hash as the distance from another; rows hold it as it is.
    for device in past == .archived ? [] : gone { try #require(try !traces(of: device, in: scratch.path).isEmpty) }
    let own = fleet.batch.events.count { gone.contains($0.device) }
    let log = try EventLog(path: scratch.database)
    let done = try log.forget(Array(gone), now: Timestamp(rawValue: fleet.end))
    #expect(done == Forgotten(devices: 2, events: own, isComplete: true))
    if past == .putBack { try FileManager.default.removeItem(atPath: scratch.archives) }
    for device in gone { #expect(try traces(of: device, in: scratch.path) == [], "\(past)") }
    try expectHolds(scratch.database, [fleet.part(0..<300) { !gone.contains($0.device) }])
    expectSound(scratch.database)
    for device in gone { #expect(try !log.knows(device)) }
    if past == .archived || past == .archivedInPart { try scratch.putBack() }
    try log.foldAll()
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == 300 - own)
    try expectHolds(scratch.database, [fleet.part(0..<300) { !gone.contains($0.device) }])
    #expect(try log.forget(Array(gone), now: Timestamp(rawValue: fleet.end)).devices == 0)
  }

  /// What retention dropped cannot be told apart any more; devices are gone all the same.
  @Test func afterADropOnlyCountsKeepTheirShare() throws {
    let fleet = SmallFleet(300, seed: 111)
    try store([fleet.batch], in: scratch.database)
    try scratch.retain(before: SmallFleet.start + 150 * SmallFleet.hour, dropping: true)
    let gone = fleet.devices[4]
    let before = try lags(scratch.database).values.reduce(0, +)
    let done = try EventLog(path: scratch.database).forget([gone], now: Timestamp(rawValue: fleet.end))
    #expect(try lags(scratch.database).values.reduce(0, +) == before - Int64(done.events))
    #expect(try traces(of: gone, in: scratch.path) == [])
    #expect(try told(scratch.database).allSatisfy { !$0.contains("\(gone.rawValue)") })
    expectSound(scratch.database)
  }

  /// A device that goes on sending is a new one.
  @Test func itMayComeBack() throws {
    let fleet = SmallFleet(200, seed: 112)
    try store([fleet.part(0..<100)], in: scratch.database)
    let log = try EventLog(path: scratch.database)
    let gone = fleet.devices[1]
    _ = try log.forget([gone], now: Timestamp(rawValue: fleet.end))
    _ = try log.append([fleet.part(100..<200)])
    #expect(try log.finishForgetting(now: Timestamp(rawValue: fleet.end)) == 0)
    try log.foldAll()
    try expectHolds(scratch.database, [fleet.part(0..<100) { $0.device != gone }, fleet.part(100..<200)])
    expectSound(scratch.database)
  }
}

/// Ended at any step, a forgetting is as if it had not begun, or is done; the next start finishes it.
@Suite struct InterruptedForgettingTests {
  let scratch: Scratch
  let fleet = SmallFleet(300, seed: 121)
  let gone: DeviceHash
  var archive: String { scratch.archives + "/events-1-150.uptk" }
  var others: EventBatch { fleet.part(0..<300) { $0.device != gone } }
  init() throws {
    scratch = try Scratch()
    gone = fleet.devices[5]
    try store([fleet.batch], in: scratch.database)
    try scratch.retain(before: SmallFleet.start + 150 * SmallFleet.hour)
  }

  private func forget() throws {
    _ = try EventLog(path: scratch.database).forget([gone], now: Timestamp(rawValue: fleet.end))
  }

  static let steps: [(what: String, trigger: StaticString)] = [
    ("events", "CREATE TRIGGER stop BEFORE DELETE ON event WHEN OLD.seq > 200 BEGIN SELECT RAISE(ABORT, 'no'); END"),
    ("journeys", "CREATE TRIGGER stop BEFORE DELETE ON journey BEGIN SELECT RAISE(ABORT, 'no'); END"),
    ("devices", "CREATE TRIGGER stop BEFORE DELETE ON device BEGIN SELECT RAISE(ABORT, 'no'); END"),
    ("wakes", "CREATE TRIGGER stop BEFORE DELETE ON wake BEGIN SELECT RAISE(ABORT, 'no'); END"),
    ("trail", "CREATE TRIGGER stop BEFORE DELETE ON trail BEGIN SELECT RAISE(ABORT, 'no'); END"),
    ("lags", "CREATE TRIGGER stop BEFORE UPDATE ON lag BEGIN SELECT RAISE(ABORT, 'no'); END"),
    ("note", "CREATE TRIGGER stop BEFORE INSERT ON forgotten BEGIN SELECT RAISE(ABORT, 'no'); END"),
    ("archives", "CREATE TRIGGER stop BEFORE UPDATE ON removed BEGIN SELECT RAISE(ABORT, 'no'); END"),
    (
      "end",
      "CREATE TRIGGER stop BEFORE INSERT ON meta WHEN NEW.key = 'generation' BEGIN SELECT RAISE(ABORT, 'no'); END"
    ),
  ]

  @Test(arguments: 0..<9) func anyStepMayFail(_ step: Int) throws {
    let (rowsBefore, old) = (try rows(scratch.database), try bytes(archive))
    let breaker = try Connection(path: scratch.database, mode: .write)
    try breaker.execute(Self.steps[step].trigger)
    #expect(throws: StoreError.self, "\(Self.steps[step].what)") { try forget() }
    #expect(try rows(scratch.database) == rowsBefore)
    #expect(try bytes(archive) == old)
    try expectHolds(scratch.database, [fleet.batch])
    let noted = Examination(path: scratch.database, now: Timestamp(rawValue: fleet.end), isFull: false).findings()
    #expect(noted.first { $0.check == "forgotten devices" }?.verdict == .fail, "it is written down as wanted")
    try breaker.execute("DROP TRIGGER stop")
    #expect(try EventLog(path: scratch.database).finishForgetting(now: Timestamp(rawValue: fleet.end)) == 1)
    try expectHolds(scratch.database, [others])
    expectSound(scratch.database)
    #expect(try traces(of: gone, in: scratch.path) == [])
  }

  /// The database says so, and the new archive has not its place yet.
  @Test func killedBeforeTheArchiveHasItsPlace() throws {
    let old = try bytes(archive)
    try forget()
    try FileManager.default.moveItem(atPath: archive, toPath: ArchiveSwap.next(archive))
    try write(old, to: archive)
    #expect(try EventLog(path: scratch.database).finishForgetting(now: Timestamp(rawValue: fleet.end)) == 0)
    #expect(try files(scratch.archives) == ["events-1-150.uptk"])
    #expect(try traces(of: gone, in: scratch.path) == [])
    try scratch.putBack()
    try expectHolds(scratch.database, [others])
  }

  /// Another device is forgotten before anything else was finished: the archive is without both.
  @Test func killedBeforeTheArchiveHasItsPlaceAndAnotherIsForgotten() throws {
    let old = try bytes(archive)
    try forget()
    try FileManager.default.moveItem(atPath: archive, toPath: ArchiveSwap.next(archive))
    try write(old, to: archive)
    let other = fleet.devices[8]
    _ = try EventLog(path: scratch.database).forget([other], now: Timestamp(rawValue: fleet.end))
    let keys = try IdentityKeys.required(Connection(path: scratch.database, mode: .read))
    let left = Set(try Archive.load(archive, keys).rows.map(\.device))
    for device in [gone, other] { #expect(!left.contains(Int64(bitPattern: device.rawValue))) }
    try scratch.putBack()
    try expectHolds(scratch.database, [fleet.part(0..<300) { $0.device != gone && $0.device != other }])
    expectSound(scratch.database)
  }

  /// What was written anew and never committed goes; so does what is not whole, whatever its count.
  @Test(arguments: ["uncommitted", "torn", "same count"]) func whatWasNotCommittedGoes(_ what: String) throws {
    let old = try bytes(archive)
    let connection = try Connection(path: scratch.database, mode: .read)
    let keys = try IdentityKeys.required(connection)
    var events = try Archive.load(archive, keys)
    if what == "same count" { events.rows[0].duration = 4711 } else { events = events.without([gone.rawValue]) }
    let packed = try Archive.pack(events, keys, before: #require(events.origin).before)
    try write(what == "torn" ? packed.dropLast() : packed, to: ArchiveSwap.next(archive))
    _ = try EventLog(path: scratch.database).finishForgetting(now: Timestamp(rawValue: fleet.end))
    #expect(try bytes(archive) == old)
    #expect(try files(scratch.archives) == ["events-1-150.uptk"])
  }

  /// An earlier version wrote down the count alone.
  @Test func killedByAnEarlierVersion() throws {
    let old = try bytes(archive)
    try forget()
    try Connection(path: scratch.database, mode: .write).execute("DELETE FROM meta WHERE key LIKE 'archive %'")
    try FileManager.default.moveItem(atPath: archive, toPath: ArchiveSwap.next(archive))
    try write(old, to: archive)
    _ = try EventLog(path: scratch.database).finishForgetting(now: Timestamp(rawValue: fleet.end))
    #expect(try traces(of: gone, in: scratch.path) == [])
  }

  /// Another program has written its archives anew and is about to commit: they are not taken for leftovers.
  @Test func twoProgramsForgetAtOnce() throws {
    let (database, archive) = (scratch.database, archive)
    let connection = try Connection(path: database, mode: .write)
    let keys = try IdentityKeys.required(connection)
    let rest = try Archive.load(archive, keys).without([gone.rawValue])
    let packed = try Archive.pack(rest, keys, before: #require(rest.origin).before)
    try connection.execute("BEGIN IMMEDIATE")
    try write(packed, to: ArchiveSwap.next(archive))
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchGroup())
    DispatchQueue(label: "other").async(group: ended) {
      begun.signal()
      if let other = try? Connection(path: database, mode: .write) { try? ArchiveSwap.finish(other) }
    }
    begun.wait()
    Thread.sleep(forTimeInterval: 0.3)
    try Removed.setDigest(Archive.digest(of: packed), of: 1, connection)
    try connection.execute("COMMIT")
    ended.wait()
    #expect(try bytes(archive) == packed)
    #expect(try files(scratch.archives) == ["events-1-150.uptk"])
  }

  /// Of a removal that was only planned, what an interrupted run left is cleaned too; what others put there is not touched.
  @Test(arguments: [false, true]) func ofAPlannedRemoval(_ isForeign: Bool) throws {
    let connection = try Connection(path: scratch.database, mode: .write)
    let keys = try IdentityKeys.required(connection)
    var planned = Removed(
      id: 0, first: 151, last: 300, before: fleet.end, state: .planned, events: 150,
      archive: scratch.archives + "/events-151-300.uptk")
    planned.id = try Removed.insert(planned, connection)
    let path = try #require(planned.archive)
    let own = try ArchivedEvents.read(planned, connection)
    let stranger = try Archive.pack(own, keys, before: planned.before - 1)
    if isForeign {
      try write(stranger, to: path)
    } else {
      let packed = try Archive.pack(own, keys, before: planned.before)
      try Archive.save(packed, at: path)
      try write(packed, to: path + ".part")
    }
    try forget()
    let isGone = try Archive.load(path, keys).rows.allSatisfy { $0.device != Int64(bitPattern: gone.rawValue) }
    #expect(isForeign ? try bytes(path) == stranger : isGone)
    #expect(!DurableFile.exists(path + ".part"))
    try scratch.retain(before: fleet.end)
    #expect(try traces(of: gone, in: scratch.path) == [])
    try scratch.putBack(try files(scratch.archives).filter { !isForeign || $0 != "events-151-300.uptk" })
    try expectHolds(scratch.database, [others])
    expectSound(scratch.database)
  }

  /// Nobody can promise that an archive which is not there is clean.
  @Test func withoutItsArchiveItIsRefused() throws {
    try FileManager.default.moveItem(atPath: archive, toPath: scratch.path + "/elsewhere")
    #expect(throws: StoreError(.refused(.archiveMissing), path: archive)) { try forget() }
    try expectHolds(scratch.database, [fleet.batch])
    try FileManager.default.moveItem(atPath: scratch.path + "/elsewhere", toPath: archive)
    #expect(try EventLog(path: scratch.database).finishForgetting(now: Timestamp(rawValue: fleet.end)) == 1)
    #expect(try traces(of: gone, in: scratch.path) == [])
  }

  /// What is asked for last is last, whatever the clock said at an earlier time.
  @Test func aClockThatWasAheadHidesNoForgetting() throws {
    let log = try EventLog(path: scratch.database)
    _ = try log.forget([gone], now: Timestamp(rawValue: fleet.end + 86_400_000))
    let connection = try Connection(path: scratch.database, mode: .write)
    _ = try log.append([SmallFleet(600, seed: 121).part(300..<600) { $0.device == gone }])
    try connection.execute(Self.steps[6].trigger)
    #expect(throws: StoreError.self) { try forget() }
    try connection.execute("DROP TRIGGER stop")
    #expect(try log.finishForgetting(now: Timestamp(rawValue: fleet.end)) == 1)
    #expect(try !log.knows(gone))
  }

  /// What failed and was asked for again is done: what the device sends from then on is of a new one, and stays.
  @Test func whatIsAskedForAgainIsDone() throws {
    let connection = try Connection(path: scratch.database, mode: .write)
    let log = try EventLog(path: scratch.database)
    try connection.execute(Self.steps[0].trigger)
    #expect(throws: StoreError.self) { try forget() }
    try connection.execute("DROP TRIGGER stop")
    let later = Timestamp(rawValue: fleet.end + 1000)
    _ = try log.forget([gone], now: later)
    let checks = Examination(path: scratch.database, now: later, isFull: false).findings()
    #expect(checks.first { $0.check == "forgotten devices" } == Finding("forgotten devices", .ok, "1"))
    _ = try log.append([SmallFleet(600, seed: 121).part(300..<600) { $0.device == gone }])
    #expect(try log.finishForgetting(now: later) == 0)
    #expect(try log.knows(gone))
  }
}

@Suite struct DeletionLogTests {
  let scratch: Scratch
  let keys = IdentityKeys(device: Array(repeating: 1, count: 16), event: Array(repeating: 2, count: 16))
  var path: String { DeletionLog.path(scratch.database) }
  init() throws { scratch = try Scratch() }

  private func entry(_ device: UInt64) -> DeletionLog.Entry {
    DeletionLog.Entry(digest: DeletionLog.digest(device, keys), at: Int64(device))
  }

  @Test func whatIsWrittenIsRead() throws {
    try DeletionLog.append([entry(1), entry(2)], database: scratch.database)
    try DeletionLog.append([entry(3)], database: scratch.database)
    #expect(try DeletionLog.read(path) == [entry(1), entry(2), entry(3)])
    #expect(try DeletionLog.read(scratch.path + "/none") == [])
  }

  /// A power loss cut the last line short at any byte: it is no entry, and the next one is.
  @Test(arguments: 0..<47) func aTornLineCostsItself(_ length: Int) throws {
    try DeletionLog.append([entry(1), entry(1_709_540_000_000)], database: scratch.database)
    let whole = try bytes(path)
    let second = try #require(whole.firstIndex(of: UInt8(ascii: "\n"))) + 1
    try write(Array(whole[..<min(second + length, whole.count)]), to: path)
    try DeletionLog.append([entry(3)], database: scratch.database)
    let found = try DeletionLog.read(path)
    #expect(found.first == entry(1) && found.last == entry(3), "\(length)")
    #expect(found.count <= 3)
  }

  /// Who has the log alone learns nothing of a device.
  @Test func itNamesNobody() throws {
    try DeletionLog.append([entry(0x1234_5678_9abc_def0)], database: scratch.database)
    #expect(try traces(of: DeviceHash(rawValue: 0x1234_5678_9abc_def0), in: scratch.path) == [])
    #expect(try !String(decoding: bytes(path), as: UTF8.self).contains("123456789abcdef0"))
    let others = IdentityKeys(device: Array(repeating: 9, count: 16), event: keys.event)
    #expect(DeletionLog.digest(7, keys) != DeletionLog.digest(7, others))
  }
}
