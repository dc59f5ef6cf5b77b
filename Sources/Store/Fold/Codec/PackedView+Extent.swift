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

  private var greatestMaskedWord: UInt64 {
    var (greatest, offset) = (UInt64(0), 0)
    for _ in 0..<count {
      let word = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      greatest = max(greatest, UInt64(littleEndian: word) & missing)
      offset += width
    }
    return greatest
  }
}
