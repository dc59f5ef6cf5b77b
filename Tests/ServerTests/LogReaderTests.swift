import Glibc
import Testing

@testable import Server

/// Lines as Linux writes them into /proc/locks (fs/locks.c, lock_get_status).
struct LogReaderTests {
  private static let locks = """
    1: POSIX  ADVISORY  READ  100 08:01:55 124 124
    2: POSIX  ADVISORY  READ  101 08:01:55 127 127
    3: POSIX  ADVISORY  WRITE 102 08:01:55 124 124
    4: POSIX  ADVISORY  READ  103 08:01:55 128 128
    5: POSIX  ADVISORY  READ  104 08:01:56 124 124
    6: FLOCK  ADVISORY  READ  105 08:01:55 124 124
    6: -> POSIX ADVISORY READ 106 08:01:55 124 124
    7: POSIX  ADVISORY  READ  107
    """

  @Test func readersAreThoseThatHoldAReadLockOnAReadersByte() {
    #expect(LogReaders.holders(Self.locks, inode: 55) == [100, 101])
    #expect(LogReaders.holders(Self.locks, inode: 56) == [104])
    #expect(LogReaders.holders(Self.locks, inode: nil) == [])
  }

  @Test func tellsHowLongEachHasReadAndWhoItIs() throws {
    let file = try TemporaryFolder()
    let database = file.path + "/x.db"
    try file.write("x.db-shm", "")
    var status = stat()
    let found = stat(database + "-shm", &status)
    #expect(found == 0)
    let inode = status.st_ino
    func lock(_ process: Int32) -> String { "1: POSIX  ADVISORY  READ  \(process) 08:01:\(inode) 124 124\n" }
    let readers = LogReaders(database: database)
    #expect(readers.look(now: 10, locks: lock(getpid())).map(\.seconds) == [0])
    let two = readers.look(now: 15, locks: lock(getpid()) + lock(1))
    #expect(two.map(\.process) == [Int(getpid()), 1] && two.map(\.seconds) == [5, 0])
    #expect(!two[0].program.isEmpty && two[0].program != "unknown")
    #expect(readers.look(now: 16, locks: "") == [])
    #expect(readers.look(now: 17, locks: lock(getpid())).map(\.seconds) == [0], "it began anew")
  }
}
