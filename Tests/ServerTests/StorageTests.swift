import Foundation
import Synchronization
import Testing

@testable import Server

/// The disk on which the tests run has space; what is full is told by the numbers that are asked for.
struct StorageTests {
  private let folder: TemporaryFolder
  private var database: String { folder.path + "/x.db" }
  private var reserve: String { database + ".reserve" }
  private let block = 1 << 16

  init() throws { folder = try TemporaryFolder() }

  /// Whether it is held once it was asked to be.
  private func holds(_ database: String, _ size: Int) -> Bool {
    var reserve = DiskReserve(beside: database, size: size)
    reserve.hold()
    return reserve.isHeld
  }

  @Test func theReserveTakesBlocksAndGivesThemBack() {
    var held = DiskReserve(beside: database, size: block)
    held.hold()
    var status = stat()
    let found = stat(reserve, &status)
    #expect(found == 0 && Int(status.st_size) == block)
    #expect(Int(status.st_blocks) * 512 >= block, "a sparse file reserves nothing")
    #expect(status.st_mode & 0o777 == 0o600)
    held.release()
    let isHeld = held.isHeld
    #expect(!isHeld && access(reserve, F_OK) != 0)
  }

  @Test func whatCannotBeReservedLeavesNothingBehind() {
    #expect(!holds(database, 1 << 60) && access(reserve, F_OK) != 0)
    #expect(!holds(folder.path + "/no/x.db", block))
    #expect(!holds(database, 0) && access(reserve, F_OK) != 0)
    #expect(holds(database, block))
  }

  @Test func eventsAreTakenWhileThereIsSpace() {
    let guarding = StorageGuard(path: folder.path, minFree: 0, reserve: 0)
    #expect(guarding.refusal == nil && guarding.freeBytes > 0 && guarding.reservedBytes == 0)
  }

  @Test func eventsAreRefusedBelowTheSpaceToBeKept() throws {
    let guarding = StorageGuard(path: folder.path, minFree: .max, reserve: 0)
    let refusal = try #require(guarding.refusal)
    #expect(refusal.code == "disk_reserve" && refusal.message.contains("\(Int.max) bytes"))
  }

  /// The watch looks four times a second; ten megabytes may come in between.
  @Test func aDiskThatFillsBetweenTwoLooksIsSeen() throws {
    let left = Atomic(100)
    let guarding = StorageGuard(path: folder.path, minFree: 50, reserve: 0) { left.load(ordering: .relaxed) }
    #expect(guarding.refusal == nil)
    left.store(49, ordering: .relaxed)
    usleep(10_000)
    #expect(guarding.refusal?.code == "disk_reserve")
    left.store(51, ordering: .relaxed)
    usleep(10_000)
    #expect(guarding.refusal == nil)
  }

  @Test func aFullDiskGivesTheReserveBackOnce() {
    let guarding = StorageGuard(path: database, minFree: 0, reserve: block)
    try? folder.write("x.db", "")
    guarding.look()
    #expect(guarding.reservedBytes == block)
    guarding.sawFullDisk()
    #expect(guarding.refusal?.code == "disk_full")
    var made = 0
    let gaveBack = guarding.look { made += 1 }
    #expect(gaveBack && made == 1 && guarding.reservedBytes == 0)
    #expect(guarding.refusal?.code == "disk_full", "not before the reserve is held again")
    let again = guarding.look { made += 1 }
    #expect(!again && made == 1 && guarding.reservedBytes == block && guarding.refusal == nil)
  }

  @Test func nobodyCanTellOfADiskThatIsNotThere() {
    #expect(freeSpace(folder.path + "/no/such/file") == .max && fileSize(folder.path + "/no") == 0)
  }
}
