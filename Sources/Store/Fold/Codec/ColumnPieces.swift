/// A long column of devices lies in pieces, in rows of a page each: who needs a few of its numbers reads the pages that hold them. In
/// one row SQLite finds what lies beyond the first page by going through all pages before it.
enum ColumnPieces {
  /// As many bytes as a page holds beside the rest of a row.
  static let length = 16_300

  /// The columns of which a few numbers are read; the others are read whole, and lie in one row.
  static let parts: Set<Int64> = [
    RunLists.Parts.settled.keyPlaces, RunLists.Parts.settled.starts, RunLists.Parts.settled.lengths,
    DeviceOutlines.Part.spanStarts.rawValue, DeviceOutlines.Part.spanLengths.rawValue,
    DeviceShard.Part.profiles.rawValue, DeviceShard.Part.profileTimes.rawValue,
  ]

  private static let bits: Int64 = 20
  /// The numbers of rows that begin a column are lower: those of the parts.
  static let further: Int64 = 1 << bits

  /// The number of the row with a piece of a part.
  static func number(_ index: Int, of part: Int64) -> Int64 { index == 0 ? part : (part + 1) << bits | Int64(index) }

  /// The part that a row holds a piece of.
  static func part(_ number: Int64) -> Int64 { number < further ? number : number >> bits - 1 }

  /// The numbers of all rows with pieces of a part from one on.
  static func numbers(from index: Int, of part: Int64) -> ClosedRange<Int64> {
    number(max(index, 1), of: part)...number(1 << Int(bits) - 1, of: part)
  }

  /// The rows of a part, in order.
  static func rows(_ part: Int64, _ bytes: [UInt8], length: Int = length) -> FoldedShard.Parts {
    guard parts.contains(part), bytes.count > length, StoredColumn.size(bytes[...]) == bytes.count else {
      return [(part, bytes)]
    }
    return stride(from: 0, to: bytes.count, by: length).enumerated().map { index, start in
      (number(index, of: part), Array(bytes[start..<min(start + length, bytes.count)]))
    }
  }
}
