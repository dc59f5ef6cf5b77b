/// Memory that packed columns are read from where they lie.
///
/// Only a sole owner may change it, so no view ever sees a change, and threads may share it.
final class PackedBytes: @unchecked Sendable {
  private(set) var start: UnsafeMutableRawPointer
  private(set) var count = 0
  private var capacity: Int

  /// How many bytes can be read after the last: every number is read as a whole word.
  static let spare = 8

  init(capacity: Int = 0) {
    self.capacity = capacity
    start = .allocate(byteCount: capacity + Self.spare, alignment: 8)
  }

  convenience init(_ bytes: UnsafeRawBufferPointer) {
    self.init(capacity: bytes.count)
    append(bytes)
  }

  deinit { start.deallocate() }

  func removeAll() { count = 0 }

  func append(_ more: UnsafeRawBufferPointer) { append(count: more.count) { $0.copyMemory(from: more) } }

  /// - Parameter write: is given room for so many more bytes, and fills all of it.
  func append<Failure>(
    count more: Int, _ write: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    if count + more > capacity { grow(to: max(count + more, capacity * 2)) }
    try write(UnsafeMutableRawBufferPointer(start: start + count, count: more))
    count += more
    (start + count).storeBytes(of: 0, as: UInt64.self)
  }

  private func grow(to capacity: Int) {
    let room = UnsafeMutableRawPointer.allocate(byteCount: capacity + Self.spare, alignment: 8)
    room.copyMemory(from: start, byteCount: count)
    start.deallocate()
    (start, self.capacity) = (room, capacity)
  }

  subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "no such bytes")
    return UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
  }
}
