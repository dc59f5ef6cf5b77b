import Foundation
import Lifecycle
import Testing

@testable import Store

/// Archives that are away hold up the devices that may be in them, and nobody else; those that are lost hold up nobody.
@Suite struct LostArchiveTests {
  let scratch: Scratch
  /// Other devices, and no block of a trail holds events of both.
  let old = SmallFleet(1023, seed: 131)
  let new = SmallFleet(150, seed: 132, name: 1)
  let now = Timestamp(rawValue: SmallFleet.start + 2000 * SmallFleet.hour)
  var archive: String { scratch.archives + "/events-1-1023.uptk" }
  init() throws {
    scratch = try Scratch()
    try store([old.batch], in: scratch.database)
    try scratch.retain(before: old.end)
    try store([new.batch], in: scratch.database)
  }

  private var log: EventLog { get throws { try EventLog(path: scratch.database) } }

  private func forget(_ devices: [DeviceHash]) throws { _ = try log.forget(devices, now: now) }

  private func finding(_ check: String) throws -> Finding {
    try #require(
      Examination(path: scratch.database, now: now, isFull: false).findings().first { $0.check == check })
  }

  /// Written down as wanted, as by a run that was killed.
  private func want(_ devices: [DeviceHash]) throws {
    let keys = try IdentityKeys.required(Connection(path: scratch.database, mode: .read))
    try DeletionLog.append(
      devices.map { DeletionLog.Entry(digest: DeletionLog.digest($0.rawValue, keys), at: now.rawValue) },
      database: scratch.database)
  }

  @Test func othersAreForgottenAtAStart() throws {
    let (held, free) = (old.devices[5], new.devices[5])
    try want([held, free])
    try FileManager.default.moveItem(atPath: archive, toPath: scratch.path + "/away")
    #expect(throws: StoreError(.refused(.archiveMissing), path: archive)) {
      _ = try log.finishForgetting(now: now)
    }
    #expect(try log.knows(held))
    #expect(try !log.knows(free))
    try FileManager.default.moveItem(atPath: scratch.path + "/away", toPath: archive)
    #expect(try log.finishForgetting(now: now) == 1)
    expectSound(scratch.database)
    let left = try [held, free].flatMap { try traces(of: $0, in: scratch.path) }
    #expect(left == [], "\(left)")
  }

  @Test(arguments: [false, true]) func declaredLostItHoldsUpNobody(_ byFolder: Bool) throws {
    let held = old.devices[5]
    try FileManager.default.removeItem(atPath: archive)
    #expect(throws: StoreError.self) { try forget([held]) }
    let told = try finding("forgotten devices")
    #expect(told.verdict == .fail && told.fix?.parts.contains(.command(remedy(archive))) == true, "\(told)")
    let lost = try log.giveUpArchives(at: byFolder ? scratch.archives : archive, now: now)
    #expect(lost == LostArchives(archives: [archive], events: 1023))
    #expect(try log.finishForgetting(now: now) == 1)
    #expect(try !log.knows(held))
    for check in ["forgotten devices", "archives"] { #expect(try finding(check).verdict == .ok) }
    expectSound(scratch.database)
    #expect(try AuditTrail(limit: 10).entries(path: scratch.database).map(\.act).contains("archives-lost"))
  }

  /// It may be mounted again: whoever knows better names archive by archive.
  @Test func ofADiskThatIsNotMountedTheyAreTakenOneByOne() throws {
    try FileManager.default.removeItem(atPath: archive)
    let connection = try Connection(path: scratch.database, mode: .write)
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(
      .text("archive_mount \(scratch.archives)"), .text("/none\n/"))
    #expect(throws: StoreError(.refused(.archivesAway(mount: "/none")), path: scratch.archives)) {
      _ = try log.giveUpArchives(at: scratch.archives, now: now)
    }
    #expect(try log.missingArchives(at: scratch.archives).archives == [archive])
    #expect(try log.giveUpArchives(at: archive, now: now).archives == [archive])
  }

  private func remedy(_ place: String) -> Remedy.Command {
    Remedy.Command(
      words: ["retain"],
      options: [.init(name: "lost", value: place), .init(name: "db", value: scratch.database)])
  }

  /// What is there is not lost, nor is what this database never wrote.
  @Test func whatIsThereIsNotLost() throws {
    for place in [archive, scratch.archives, scratch.path + "/none"] {
      #expect(throws: StoreError(.refused(.archiveNotLost), path: place)) {
        _ = try log.giveUpArchives(at: place, now: now)
      }
    }
    #expect(try finding("archives").found == "1 hold 1023 events")
  }

  /// The disk of the database died, and that of its archives: the newest backup names an archive that nobody has.
  @Test func aRestoreForgetsWhomItCan() throws {
    try scratch.backup("c")
    let (held, free) = (old.devices[5], new.devices[5])
    try forget([held, free])
    let deletions = scratch.path + "/kept"
    try FileManager.default.moveItem(atPath: DeletionLog.path(scratch.database), toPath: deletions)
    try FileManager.default.removeItem(atPath: scratch.archives)
    for suffix in ["", "-wal", "-shm"] { unlink(scratch.database + suffix) }
    var options = Restore.Options()
    options.deletions = deletions
    let restored = try Restore.run(scratch.path + "/c", to: scratch.database, options, now: now)
    #expect(restored.forgotten == 1 && restored.notForgotten == 1 && restored.unreadArchives == [archive])
    #expect(try log.knows(held))
    #expect(try !log.knows(free))
    #expect(try finding("forgotten devices").verdict == .fail)
    _ = try log.giveUpArchives(at: scratch.archives, now: now)
    #expect(try log.finishForgetting(now: now) == 1)
    #expect(try !log.knows(held))
    expectSound(scratch.database)
  }
}
