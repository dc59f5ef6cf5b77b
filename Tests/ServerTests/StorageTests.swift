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

  /// Also at the start: a service that takes nothing from the first moment on says why.
  @Test func theLogSaysThatEventsAreRefused() throws {
    let served = try ServedDatabase(minFree: .max)
    let housekeeping = Housekeeping(served.service, foldAfter: .seconds(3600))
    #expect(eventually { served.log.text.contains(#""event":"events_refused""#) })
    #expect(served.log.text.contains(#""code":"disk_reserve""#) && served.log.text.contains("minFreeBytes"))
    housekeeping.stop()
    #expect(served.log.text.components(separatedBy: "events_refused").count == 2, "once")
  }

  @Test func aChangeIsSaidOnceItLasts() {
    let start = ContinuousClock.now
    var notes = RefusalNotes()
    func isNews(_ code: String?, _ seconds: Double) -> Bool { notes.isNews(code, at: start + .seconds(seconds)) }
    #expect(!isNews(nil, 0), "that events are taken is no news")
    #expect(isNews("disk_reserve", 1) && !isNews("disk_reserve", 30))
    #expect(isNews(nil, 40) && !isNews("disk_reserve", 41) && !isNews(nil, 45))
    #expect(!isNews("disk_reserve", 46) && isNews("disk_reserve", 50), "said later, where it still holds")
    #expect(isNews("disk_full", 60) && !isNews(nil, 61) && isNews(nil, 70))
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

  /// Whoever needs room in a hurry deletes what is large and called a reserve: it is not counted on any more, and is set
  /// aside anew while there is space.
  @Test func aReserveThatSomebodyDeletedIsSetAsideAnew() throws {
    try folder.write("x.db", "")
    let space = Atomic(1 << 30)
    let guarding = StorageGuard(path: database, minFree: 0, reserve: block) { space.load(ordering: .relaxed) }
    #expect(guarding.reservedBytes == block)
    unlink(reserve)
    guarding.look()
    #expect(guarding.reservedBytes == block && fileSize(reserve) == block)
    unlink(reserve)
    space.store(block / 8, ordering: .relaxed)
    #expect(!guarding.look() && guarding.reservedBytes == 0, "there is nothing to give back")
  }

  /// The size is the operator's to change, and 0 is a size: what an earlier start set aside is not kept for ever.
  @Test func theReserveHasTheSizeOfThisStart() throws {
    try folder.write("x.db", "")
    try folder.write("x.db.reserve", String(repeating: "x", count: 4 * block))
    _ = StorageGuard(path: database, minFree: 0, reserve: block)
    #expect(fileSize(reserve) == block)
    _ = StorageGuard(path: database, minFree: 0, reserve: 0)
    #expect(access(reserve, F_OK) != 0)
  }

  /// A start on a full disk finds what an earlier one set aside, and gives it back like its own.
  @Test func aReserveOfAnEarlierStartIsGivenBackOnAFullDisk() throws {
    try folder.write("x.db", "")
    #expect(holds(database, block))
    let guarding = StorageGuard(path: database, minFree: 0, reserve: block) { 0 }
    #expect(guarding.reservedBytes == block)
    var made = 0
    #expect(guarding.look { made += 1 } && made == 1 && access(reserve, F_OK) != 0)
  }

  /// A file that is only long, as a copy of a folder may be, holds nothing.
  @Test func aSparseFileIsNoReserve() throws {
    try folder.write("x.db.reserve", "")
    truncate(reserve, off_t(block))
    let guarding = StorageGuard(path: database, minFree: 0, reserve: block) { 0 }
    #expect(guarding.reservedBytes == 0)
  }

  /// A link in its place would have another file grow.
  @Test func aLinkIsNoReserve() throws {
    try folder.write("victim", "precious")
    symlink(folder.path + "/victim", reserve)
    #expect(!holds(database, block))
    #expect(fileSize(folder.path + "/victim") == 8)
  }

  @Test func nobodyCanTellOfADiskThatIsNotThere() {
    #expect(freeSpace(folder.path + "/no/such/file") == .max && fileSize(folder.path + "/no") == 0)
  }
}
