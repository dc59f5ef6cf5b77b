import Foundation
import Lifecycle
import Testing

@testable import Store

/// A folder whose disk goes away and comes back, and parts that vanish behind the newest.
@Suite struct AwayTargetTests {
  let scratch: Scratch
  let target: FolderTarget
  let clock = CopyTests.Clock()
  let fleet = SmallFleet(300, seed: 78)
  private var away: String { target.address + "-away" }

  init() throws {
    scratch = try Scratch()
    target = FolderTarget(scratch.path + "/copy")
    try store([fleet.part(0..<100)], in: scratch.database)
  }

  private func replicator() throws -> Replicator {
    let clock = clock
    return try Replicator(of: scratch.database, to: target) { clock.next() }
  }

  private func storeOne(_ number: Int) throws { try store([fleet.part(number..<(number + 1))], in: scratch.database) }

  private func move(_ path: String, _ target: String) throws {
    try FileManager.default.moveItem(atPath: path, toPath: target)
  }

  private func generations() throws -> Set<String> { Set(try target.names().map { String($0.prefix { $0 != "/" }) }) }

  private func expectWhole(_ events: Int64) throws {
    let path = scratch.path + "/restored.db"
    try? FileManager.default.removeItem(atPath: path)
    let restored = try Restore.run(target, at: nil, to: path, Restore.Options(), now: Timestamp(rawValue: 1))
    #expect(restored.events == events)
  }

  @Test func aFolderThatIsGoneIsNotMadeAnew() throws {
    let replicator = try replicator()
    _ = try replicator.run()
    try move(target.address, away)
    for number in 100..<103 {
      try storeOne(number)
      #expect(throws: StoreError.self) { try replicator.run() }
    }
    #expect(!FileManager.default.fileExists(atPath: target.address))
    try move(away, target.address)
    try storeOne(103)
    let step = try replicator.run()
    #expect(step.missing == nil)
    #expect(try generations().count == 1)
    try expectWhole(104)
  }

  /// Nor by the next process.
  @Test func theNextProcessWaitsForItToo() throws {
    _ = try replicator().run()
    try move(target.address, away)
    try storeOne(100)
    #expect(throws: StoreError.self) { try replicator().run() }
    #expect(!FileManager.default.fileExists(atPath: target.address))
    try move(away, target.address)
    _ = try replicator().run()
    #expect(try generations().count == 1)
    try expectWhole(101)
  }

  /// As where a disk is mounted over what was written: what lies there is no copy, so one begins.
  @Test func anEmptyFolderInItsPlaceGetsANewGeneration() throws {
    let replicator = try replicator()
    _ = try replicator.run()
    try move(target.address, away)
    try FileManager.default.createDirectory(atPath: target.address, withIntermediateDirectories: false)
    try storeOne(100)
    #expect(throws: StoreError.self) { try replicator.run() }
    #expect(try target.names() == [])
    #expect(try replicator.run().missing == 0)
    try storeOne(101)
    _ = try replicator.run()
    try expectWhole(102)
  }

  @Test func partsThatVanishedAreNoticedWithinTheHour() throws {
    let replicator = try replicator()
    for number in 100..<104 {
      _ = try replicator.run()
      try storeOne(number)
    }
    let names = try target.names().filter { CopyName($0) != nil }.sorted()
    try target.remove(names[1])
    #expect(try replicator.run().missing == nil)
    clock.now = clock.now + .hours(1)
    #expect(try replicator.run().missing == 1)
    #expect(replicator.through == clock.now)
    #expect(try generations().count == 2)
    try expectWhole(104)
    clock.now = clock.now + .hours(1)
    #expect(try replicator.run() == Replicator.Step())
  }

  @Test func aPlaceThatIsNoLongerMountedIsRefused() throws {
    let (away, generation) = ("/nothing/is/mounted/here", CopyName.newGeneration(clock.now))
    #expect(try target.prepare(nil, nil) == target.prepare("/", generation))
    #expect(throws: StoreError.self) { try target.prepare(away, generation) }
    // Seen from where other things are mounted, it is there.
    try target.put(CopyName(generation: generation, sequence: 0, at: clock.now, completes: true).text, [1])
    #expect(try !target.prepare(away, generation).isEmpty)
  }

  @Test func mountPointsAreRead() {
    let text = """
      22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
      36 35 98:0 /mnt1 /mnt/a\\040b\\134c rw,noatime master:1 - ext3 /dev/root rw
      """
    #expect(MountPoint.parsed(text) == ["/", "/mnt/a b\\c"])
    #expect(MountPoint.of("/proc/self") == "/proc")
    // What a unit of systemd may write is bound onto itself, with its disk and without.
    let bound = text + "\n37 36 8:1 /mnt/archive /mnt/archive rw - ext4 /dev/sda1 rw"
    #expect(MountPoint.parts(bound) == ["/": "/", "/mnt/a b\\c": "/mnt1", "/mnt/archive": "/mnt/archive"])
  }
}
