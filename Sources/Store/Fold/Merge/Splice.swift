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
  func column<T>(_ old: [T], _ new: [T]) -> [T] { join(old, new, room: rows, { $0 }, { $0 }) }

  /// Of lists, one a row, that lie one behind the other.
  func lists<T>(_ old: [T], at oldOffsets: [Int], _ new: [T], at newOffsets: [Int]) -> [T] {
    oldOffsets.withUnsafeBufferPointer { oldOffsets in
      newOffsets.withUnsafeBufferPointer { newOffsets in
        join(old, new, room: old.count + new.count, { oldOffsets[$0] }, { newOffsets[$0] })
      }
    }
  }

  /// Where such lists begin; one more at the end.
  func offsets(_ old: [Int], _ new: [Int]) -> [Int] {
    var offsets = [0]
    offsets.reserveCapacity(rows + 1)
    var end = 0
    for (row, range) in kept.enumerated() {
      if !range.isEmpty {
        let shift = end - old[range.lowerBound]
        for index in range { offsets.append(old[index + 1] + shift) }
        end = old[range.upperBound] + shift
      }
      guard row < kept.count - 1 else { break }
      end += new[row + 1] - new[row]
      offsets.append(end)
    }
    return offsets
  }

  /// - Parameter oldPlace: where the elements of a row begin.
  @inline(__always)
  private func join<T>(
    _ old: [T], _ new: [T], room: Int, _ oldPlace: (Int) -> Int, _ newPlace: (Int) -> Int
  ) -> [T] {
    [T](unsafeUninitializedCapacity: room) { room, filled in
      old.withUnsafeBufferPointer { old in
        new.withUnsafeBufferPointer { new in
          for (row, range) in kept.enumerated() {
            if !range.isEmpty {
              for index in oldPlace(range.lowerBound)..<oldPlace(range.upperBound) {
                room.initializeElement(at: filled, to: old[index])
                filled += 1
              }
            }
            guard row < kept.count - 1 else { break }
            for index in newPlace(row)..<newPlace(row + 1) {
              room.initializeElement(at: filled, to: new[index])
              filled += 1
            }
          }
        }
      }
    }
  }
}
