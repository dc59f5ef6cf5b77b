import CSimdjson

/// A fixed set of words with a number each, found by their bytes in a few nanoseconds.
///
/// `@unchecked Sendable`: the C table is written before `init` returns and only read afterwards.
final class WordTable: @unchecked Sendable {
  let table: OpaquePointer

  init(_ words: [(word: String, value: UInt16)]) {
    let bytes = words.flatMap { Array($0.word.utf8) }
    let created = bytes.withUnsafeBytes { text in
      var offset = 0
      let entries = words.map { entry in
        defer { offset += entry.word.utf8.count }
        let start = text.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
        return csj_word(text: start, length: entry.word.utf8.count, value: entry.value)
      }
      return csj_words_create(entries, entries.count)
    }
    guard let created else { fatalError("no memory for the vocabulary") }
    table = created
  }

  deinit { csj_words_destroy(table) }

  func find(_ text: Text) -> Int? {
    let value = csj_words_find(table, text.start, text.count)
    return value < 0 ? nil : Int(value)
  }
}

/// Bytes of a string in memory that somebody else owns; `start` is valid even where there are none.
///
/// `@unchecked Sendable`: only constants, which nobody writes, go from thread to thread.
struct Text: @unchecked Sendable {
  var start: UnsafePointer<UInt8>
  var count: Int

  init(start: UnsafePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
  }

  /// A text that lives as long as the program.
  init(constant: String) {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: constant.utf8.count + 1)
    _ = bytes.initialize(from: Array(constant.utf8) + [0])
    start = UnsafePointer(bytes.baseAddress.unsafelyUnwrapped)
    count = constant.utf8.count
  }

  var isEmpty: Bool { count == 0 }
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
  var string: String { String(decoding: bytes, as: UTF8.self) }

  @inline(__always)
  func equals(_ other: Text) -> Bool { count == other.count && csj_equal(start, other.start, count) }
}
