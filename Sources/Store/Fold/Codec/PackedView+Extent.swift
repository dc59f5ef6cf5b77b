/// What a check must know of all numbers of a column, without making them: by the words that they are stored as.
extension PackedView {
  /// Whether every number is in a range; an absent one is in none.
  func isWithin(_ range: Range<Int64>) -> Bool {
    if count == 0 { return true }
    guard range.contains(base), case let word = greatestWord, word != missing else { return false }
    return word <= UInt64(bitPattern: range.upperBound - 1 &- base)
  }

  /// nil where there is none.
  var greatest: Int64? { count == 0 ? nil : base &+ Int64(bitPattern: greatestWord) }

  /// Whether each number is greater than the one before it, and none is absent.
  var isAscending: Bool {
    guard count > 0, isWithin(base..<PackedColumn.absent) else { return count == 0 }
    var (descents, last) = (0, self[0])
    each { number in
      descents += number <= last ? 1 : 0
      last = number
    }
    // The first was held against itself.
    return descents == 1
  }

  /// Of numbers that are none below 0 and fit in a word together.
  var sum: Int {
    var sum = 0
    each { sum &+= Int(truncatingIfNeeded: $0) }
    return sum
  }

  private var greatestWord: UInt64 {
    switch width {
    case 1: greatestWord(UInt8.self)
    case 2: greatestWord(UInt16.self)
    case 4: greatestWord(UInt32.self)
    default: greatestMaskedWord
    }
  }

  /// One instruction for many words.
  private func greatestWord<Word: FixedWidthInteger & UnsignedInteger>(_: Word.Type) -> UInt64 {
    var greatest: Word = 0
    for index in 0..<count {
      let word = start.loadUnaligned(fromByteOffset: index * MemoryLayout<Word>.size, as: Word.self)
      greatest = max(greatest, Word(littleEndian: word))
    }
    return UInt64(greatest)
  }

  /// Of two halves side by side: no comparison waits for the one before it.
  private var greatestMaskedWord: UInt64 {
    let (half, second) = (count / 2, count / 2 * width)
    var (one, other, offset) = (UInt64(0), count % 2 == 0 ? 0 : word(at: (count - 1) * width), 0)
    for _ in 0..<half {
      one = max(one, word(at: offset))
      other = max(other, word(at: second &+ offset))
      offset &+= width
    }
    return max(one, other)
  }

  @inline(__always)
  private func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) & missing
  }
}
