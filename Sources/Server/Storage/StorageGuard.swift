internal import Glibc
internal import Locks
internal import Store
internal import Synchronization

/// Watches the disk that the database lies on: refuses events before it is full, and makes room when it is.
final class StorageGuard: Sendable {
  private let path: String
  private let minFree: Int
  private let reserve: Lock<DiskReserve>
  /// Free bytes on the disk, as seen last.
  private let free = Atomic<Int>(.max)
  /// A commit found the disk full, and it has not been seen with enough space since.
  private let isFull = Atomic(false)

  init(path: String, minFree: Int, reserve: Int) {
    self.path = path
    self.minFree = minFree
    self.reserve = Lock(DiskReserve(beside: path, size: reserve))
    look()
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
    guard freeBytes < minFree else { return nil }
    return (
      "disk_reserve", "less space is free than the \(minFree) bytes to be kept; nothing is taken until there is more"
    )
  }

  /// Looks at the disk; calls `makeRoom` once the reserve was given back. Answers whether that happened.
  @discardableResult
  func look(makeRoom: () -> Void = {}) -> Bool {
    let space = freeSpace(path)
    free.store(space, ordering: .relaxed)
    let gaveBack = reserve.withLock { reserve in
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
    let space = freeSpace(path)
    free.store(space, ordering: .relaxed)
    let hasRoom = reserve.withLock { $0.size == 0 || $0.isHeld } && space >= minFree
    if hasRoom, space >= Self.least { isFull.store(false, ordering: .relaxed) }
  }

  /// What one large commit may take.
  private static let least = 1 << 20
}
