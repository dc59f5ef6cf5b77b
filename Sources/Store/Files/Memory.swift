import CSQLite
import Glibc
import Synchronization

public enum Memory {
  /// Gives back to the system what was freed: the C library keeps it, as it cannot know that it is not needed soon.
  public static func giveBack() { malloc_trim(0) }

  /// Keeps what is freed, for a process that answers questions: a scan asks for the same again shard after shard, and to have the
  /// system clear pages for it anew takes an eighth of the time. What is greater comes from the system and goes back as it was.
  public static func keepFreed() {
    mallopt(uptake_mallopt_mmap_threshold, 16 << 20)
    mallopt(uptake_mallopt_trim_threshold, 256 << 20)
    mallopt(uptake_mallopt_top_pad, 1 << 20)
  }

  /// Asks for pages of 2 MB where the system leaves that to programs, for a process that answers one question and ends: to have it clear
  /// and map thousands of small ones takes a sixth of an answer from a summary. Keeps what is freed, too.
  public static func useLargePages() {
    keepFreed()
    mallopt(uptake_mallopt_top_pad, largeRoom)
    guard let begin = sbrk(0) else { return }
    grow()
    // Threads begin with half of their room: the system gives large pages only where all of one may be written.
    mallopt(uptake_mallopt_top_pad, threadRoom / 2)
    guard let end = sbrk(0), end > begin else { return }
    let first = UInt(bitPattern: begin) & ~(largePage - 1) + largePage
    if let start = UnsafeMutableRawPointer(bitPattern: first), start < end {
      madvise(start, end - start, MADV_HUGEPAGE)
    }
    firstThread.store(pthread_self(), ordering: .relaxed)
  }

  /// The same for what a thread asks for that works beside the first one: the C library gives it a room of its own.
  static func useLargePagesInThread() {
    let first = firstThread.load(ordering: .relaxed)
    guard first != 0, first != pthread_self(), let own = sqlite3_malloc(1) else { return }
    let room = UInt(bitPattern: own) & ~UInt(threadRoom - 1)
    sqlite3_free(own)
    madvise(UnsafeMutableRawPointer(bitPattern: room), Int(threadRoom), MADV_HUGEPAGE)
  }

  /// 0 where nobody asked for large pages.
  private static let firstThread = Atomic<pthread_t>(0)
  private static let largeRoom: Int32 = 64 << 20
  private static let largePage: UInt = 2 << 20
  /// As the C library aligns it.
  private static let threadRoom: Int32 = 64 << 20

  /// Makes the C library ask the system for more. Memory that is given back at once the compiler would not ask for.
  private static func grow() { sqlite3_free(sqlite3_malloc(1 << 20)) }
}
