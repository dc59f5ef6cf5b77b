internal import Glibc
internal import Locks
internal import Store
internal import Synchronization

/// Watches the disk that the database lies on: refuses events before it is full, and makes room when it is.
final class StorageGuard: Sendable {
  private let minFree: Int
  private let reserve: Lock<DiskReserve>
  private let space: @Sendable () -> Int
  /// Free bytes on the disk, as seen last.
  private let free = Atomic<Int>(.max)
  /// When that was, in nanoseconds since the guard began.
  private let seen = Atomic<Int64>(0)
  private let began = ContinuousClock.now
  /// A commit found the disk full, and it has not been seen with enough space since.
  private let isFull = Atomic(false)

  init(path: String, minFree: Int, reserve: Int, space: (@Sendable () -> Int)? = nil) {
    self.minFree = minFree
    self.space = space ?? { freeSpace(path) }
    self.reserve = Lock(DiskReserve(beside: path, size: reserve))
    begin()
  }

  /// Takes over what an earlier start set aside, or away where nothing is to be. On a full disk the first look gives it back.
  private func begin() {
    let space = measure()
    reserve.withLock { reserve in
      if reserve.size == 0 { return reserve.release() }
      reserve.check()
      if !reserve.isHeld, space >= reserve.size + minFree { reserve.hold() }
    }
  }

  var freeBytes: Int { free.load(ordering: .relaxed) }
  var reservedBytes: Int { reserve.withLock { $0.isHeld ? $0.size : 0 } }

  /// A commit failed for want of space.
  func sawFullDisk() { isFull.store(true, ordering: .relaxed) }

  /// Why events are not taken now.
  var refusal: (code: String, message: String)? {
    if isFull.load(ordering: .relaxed) {
      return ("disk_full", "the disk is full; nothing is taken until there is space again, and nothing is lost")
    }
    guard freeBytesNow < minFree else { return nil }
    return (
      "disk_reserve", "less space is free than the \(minFree) bytes to be kept; nothing is taken until there is more"
    )
  }

  /// Looks at the disk; calls `makeRoom` once the reserve was given back. Answers whether that happened.
  @discardableResult
  func look(makeRoom: () -> Void = {}) -> Bool {
    let space = measure()
    let gaveBack = reserve.withLock { reserve in
      reserve.check()
      if space < reserve.size / 4 || isFull.load(ordering: .relaxed), reserve.isHeld {
        reserve.release()
        return true
      }
      if !reserve.isHeld, space >= reserve.size + minFree { reserve.hold() }
      return false
    }
    if gaveBack { makeRoom() }
    recover()
    return gaveBack
  }

  private func recover() {
    let space = measure()
    let hasRoom = reserve.withLock { $0.size == 0 || $0.isHeld } && space >= minFree
    if hasRoom, space >= Self.least { isFull.store(false, ordering: .relaxed) }
  }

  @discardableResult
  private func measure() -> Int {
    let space = space()
    free.store(space, ordering: .relaxed)
    seen.store(sinceBegin, ordering: .relaxed)
    return space
  }

  /// A fast sender fills a small disk between two beats of the watch: who asks looks again, at most every few milliseconds.
  private var freeBytesNow: Int {
    if sinceBegin - seen.load(ordering: .relaxed) > Self.staleness { measure() }
    return freeBytes
  }

  private var sinceBegin: Int64 {
    let (seconds, attoseconds) = (ContinuousClock.now - began).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  private static let staleness: Int64 = 5_000_000
  /// What one large commit may take.
  private static let least = 1 << 20
}
