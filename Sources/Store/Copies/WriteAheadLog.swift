import Glibc

/// How far SQLite's write-ahead log was read: https://www.sqlite.org/fileformat2.html#walformat.
struct LogPosition: Equatable {
  var salts: UInt64
  /// Frames that were read.
  var frames: Int
  /// The checksum up to there, which the next frame's continues.
  var sum: LogSum
  let isBigEndian: Bool

  /// Whether this log began when that one ended: the first salt counts the times.
  func began(after other: LogPosition) -> Bool {
    UInt32(truncatingIfNeeded: salts >> 32) == UInt32(truncatingIfNeeded: other.salts >> 32) &+ 1
  }
}

struct LogSum: Equatable {
  var one: UInt32 = 0
  var two: UInt32 = 0

  mutating func add(_ bytes: UnsafeRawBufferPointer, bigEndian: Bool) {
    var (one, two, place) = (self.one, self.two, 0)
    while place + 8 <= bytes.count {
      let first = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
      let second = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
      one = one &+ (bigEndian ? first.bigEndian : first) &+ two
      two = two &+ (bigEndian ? second.bigEndian : second) &+ one
      place += 8
    }
    (self.one, self.two) = (one, two)
  }
}

/// Pages that transactions wrote, the newest of each.
struct LogChanges {
  var pages: [UInt32: (hash: PageHash, offset: Int)] = [:]
  /// Of the database after the last of them; nil where there is none.
  var pageCount: Int?
  var end: LogPosition
}

/// The log of a database as a file, read beside SQLite. SQLite holds no lock on this file, so that closing it gives none up.
struct WriteAheadLog: ~Copyable {
  private let descriptor: Int32
  private let pageSize: Int
  private var frameSize: Int { pageSize + 24 }
  private static let headLength = 32
  /// SQLite cuts a log that begins anew down to this: `journal_size_limit`.
  static let cutAt = 67_108_864

  init(database: String, pageSize: Int) throws(StoreError) {
    descriptor = open(database + "-wal", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DurableFile.failure(database + "-wal") }
    self.pageSize = pageSize
  }
  deinit { close(descriptor) }

  /// All that the log holds; nil where it is empty.
  func all() -> LogChanges? {
    guard let start = start() else { return nil }
    var changes = LogChanges(end: start)
    walk(&changes)
    return changes
  }

  /// What came after a position; nil where nobody can tell any more.
  ///
  /// A log that began anew writes over its first frames and leaves the others: where it has not come as far as the position,
  /// what the old one had behind that is still there, down to its end.
  func changes(since position: LogPosition) -> LogChanges? {
    for _ in 0..<3 {
      guard let start = start() else { return nil }
      guard isStillThere(position) else { return nil }
      var changes = LogChanges(end: position)
      walk(&changes)
      if start.salts == position.salts { return changes }
      guard start.began(after: position), isEnd(changes.end, before: start) else { return nil }
      changes.end = start
      walk(&changes)
      if self.start()?.salts == start.salts { return changes }
    }
    return nil
  }

  func page(at offset: Int) -> [UInt8]? { read(offset, pageSize) }

  private func start() -> LogPosition? {
    guard let head = read(0, Self.headLength) else { return nil }
    let (magic, size) = (word(head, 0), Int(word(head, 8)))
    guard magic & ~1 == 0x377f_0682, size == pageSize else { return nil }
    let isBig = magic & 1 == 1
    var sum = LogSum()
    head.withUnsafeBytes { sum.add(UnsafeRawBufferPointer(rebasing: $0[..<24]), bigEndian: isBig) }
    guard sum == LogSum(one: word(head, 24), two: word(head, 28)) else { return nil }
    return LogPosition(
      salts: UInt64(word(head, 16)) << 32 | UInt64(word(head, 20)), frames: 0, sum: sum, isBigEndian: isBig)
  }

  /// Whether the last frame before a position is the one that was read.
  private func isStillThere(_ position: LogPosition) -> Bool {
    guard position.frames > 0 else { return start() == position }
    guard let head = read(offset(position.frames - 1), 24) else { return false }
    return salts(head[...]) == position.salts && sum(head[...]) == position.sum
  }

  /// Whether a log that was begun anew had nothing behind this position: it was neither cut off nor written over there.
  private func isEnd(_ position: LogPosition, before new: LogPosition) -> Bool {
    guard let next = read(offset(position.frames), 24) else { return offset(position.frames + 1) <= Self.cutAt }
    return salts(next[...]) != position.salts && salts(next[...]) != new.salts
  }

  /// Reads on from the end of what is known, up to the last commit.
  private func walk(_ changes: inout LogChanges) {
    var (at, waiting) = (changes.end, [UInt32: (hash: PageHash, offset: Int)]())
    while case let frames = readSome(offset(at.frames), atMost: 64), !frames.isEmpty {
      for place in stride(from: 0, to: frames.count, by: frameSize) {
        let frame = frames[place..<(place + frameSize)]
        guard let size = admit(frame, &at, &waiting) else { return }
        guard size > 0 else { continue }
        changes.pages.merge(waiting) { $1 }
        waiting.removeAll(keepingCapacity: true)
        (changes.end, changes.pageCount) = (at, size)
      }
    }
  }

  /// - Returns: the pages of the database where the frame ends a transaction, else 0; nil where it is not the next one.
  private func admit(
    _ frame: ArraySlice<UInt8>, _ at: inout LogPosition, _ waiting: inout [UInt32: (hash: PageHash, offset: Int)]
  ) -> Int? {
    guard salts(frame) == at.salts else { return nil }
    var next = at.sum
    let hash = frame.withUnsafeBytes { bytes in
      let page = UnsafeRawBufferPointer(rebasing: bytes[24...])
      next.add(UnsafeRawBufferPointer(rebasing: bytes[..<8]), bigEndian: at.isBigEndian)
      next.add(page, bigEndian: at.isBigEndian)
      return next == sum(frame) ? PageHash(page) : nil
    }
    guard let hash else { return nil }
    waiting[word(frame, 0)] = (hash, offset(at.frames) + 24)
    at.frames += 1
    at.sum = next
    return Int(word(frame, 4))
  }

  private func offset(_ frames: Int) -> Int { Self.headLength + frames * frameSize }
  private func salts(_ head: ArraySlice<UInt8>) -> UInt64 { UInt64(word(head, 8)) << 32 | UInt64(word(head, 12)) }
  private func sum(_ head: ArraySlice<UInt8>) -> LogSum { LogSum(one: word(head, 16), two: word(head, 20)) }

  private func word(_ bytes: [UInt8], _ place: Int) -> UInt32 { word(bytes[...], place) }
  private func word(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
    bytes.withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt32.self)) }
  }

  /// nil where there are not as many.
  private func read(_ offset: Int, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
  }

  /// Whole frames.
  private func readSome(_ offset: Int, atMost count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count * frameSize)
    let found = pread(descriptor, &bytes, bytes.count, off_t(offset))
    return found < frameSize ? [] : Array(bytes[..<(found / frameSize * frameSize)])
  }
}
