/// How rows that are kept and rows that are new make up a longer list, in order: worked out once, then applied to column
/// after column.
struct Splice {
  /// Before each of the new rows, which rows of the old list stay; and at last those after all of them.
  private var kept: [Range<Int>] = []
  private var rows = 0

  init() {}

  /// Devices that take the place of their like among others, or come between them; both in order.
  init(_ touched: [UInt64], into devices: [UInt64]) {
    kept.reserveCapacity(touched.count + 1)
    var next = 0
    for device in touched {
      let place = devices.firstPlace(from: next) { $0 >= device }
      keep(next..<place)
      next = place < devices.count && devices[place] == device ? place + 1 : place
    }
    keep(next..<devices.count)
  }

  /// - Parameter rows: of the old list; to be called before each new row, and once more at the end.
  mutating func keep(_ rows: Range<Int>) {
    self.rows += rows.count + (kept.isEmpty ? 0 : 1)
    kept.append(rows)
  }

  /// Of columns with one element a row.
  func column<T>(_ old: [T], _ new: [T]) -> [T] {
    var column: [T] = []
    self.column(old, new, into: &column)
    return column
  }

  /// The same in place of what an array held, whose memory is used again.
  func column<T>(_ old: [T], _ new: [T], into room: inout [T]) {
    join(old, new, count: rows, into: &room, { $0 }, { $0 })
  }

  /// Of lists, one a row, that lie one behind the other.
  func lists<T>(_ old: [T], at oldOffsets: [Int], _ new: [T], at newOffsets: [Int]) -> [T] {
    var lists: [T] = []
    self.lists(old, at: oldOffsets, new, at: newOffsets, into: &lists)
    return lists
  }

  /// The same in place of what an array held, whose memory is used again.
  func lists<T>(_ old: [T], at oldOffsets: [Int], _ new: [T], at newOffsets: [Int], into room: inout [T]) {
    var count = kept.isEmpty ? 0 : newOffsets[kept.count - 1]
    for range in kept where !range.isEmpty { count += oldOffsets[range.upperBound] - oldOffsets[range.lowerBound] }
    join(old, new, count: count, into: &room, { oldOffsets[$0] }, { newOffsets[$0] })
  }

  /// Where such lists begin; one more at the end.
  func offsets(_ old: [Int], _ new: [Int]) -> [Int] {
    var offsets: [Int] = []
    self.offsets(old, new, into: &offsets)
    return offsets
  }

  /// The same in place of what an array held, whose memory is used again.
  func offsets(_ old: [Int], _ new: [Int], into offsets: inout [Int]) {
    Self.clear(&offsets, for: rows + 1)
    offsets.append(contentsOf: repeatElement(0, count: rows + 1))
    offsets.withUnsafeMutableBufferPointer { offsets in
      var (filled, end) = (1, 0)
      offsets[0] = 0
      for (row, range) in kept.enumerated() {
        if !range.isEmpty {
          let shift = end - old[range.lowerBound]
          for index in range { offsets[filled + index - range.lowerBound] = old[index + 1] &+ shift }
          filled += range.count
          end = old[range.upperBound] + shift
        }
        guard row < kept.count - 1 else { break }
        end += new[row + 1] - new[row]
        offsets[filled] = end
        filled += 1
      }
    }
  }

  /// - Parameters:
  ///   - count: how many elements there will be.
  ///   - oldPlace: where the elements of a row begin.
  @inline(__always)
  private func join<T>(
    _ old: [T], _ new: [T], count: Int, into room: inout [T], _ oldPlace: (Int) -> Int, _ newPlace: (Int) -> Int
  ) {
    Self.clear(&room, for: count)
    for (row, range) in kept.enumerated() {
      if !range.isEmpty { room += old[oldPlace(range.lowerBound)..<oldPlace(range.upperBound)] }
      guard row < kept.count - 1 else { break }
      room += new[newPlace(row)..<newPlace(row + 1)]
    }
    precondition(room.count == count, "rows and their elements are counted alike")
  }

  /// Keeps the memory, or takes some more than is needed: shards have nearly as many devices as each other.
  @inline(__always)
  private static func clear<T>(_ room: inout [T], for count: Int) {
    if room.capacity < count { room = [] }
    room.removeAll(keepingCapacity: true)
    if room.capacity < count { room.reserveCapacity(count + count / 16) }
  }
}
