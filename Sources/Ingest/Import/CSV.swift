import CSimdjson

/// The first row of a CSV file: which column holds which field.
struct CSVHeader {
  /// By column: the field's slot with its weak mark, or nil for a column that no word names.
  var columns: [Int?] = []
  /// The first field that every event needs and no column holds.
  var missing: String?
  /// The first names of columns that hold none.
  var ignored: [String] = []

  /// Reads the first line, and says how long it is.
  static func read(_ text: UnsafeRawBufferPointer) -> (header: CSVHeader, length: Int) {
    let newline = text.firstIndex(of: UInt8(ascii: "\n"))
    let line = text[..<(newline ?? text.count)]
    var header = CSVHeader()
    for name in line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let trimmed = String(decoding: name.filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") }, as: UTF8.self)
      let found = withText(trimmed) { Vocabulary.shared.fields.find($0) }
      header.columns.append(found)
      if found == nil, !trimmed.isEmpty, header.ignored.count < Int(CSJ_IGNORED) { header.ignored.append(trimmed) }
    }
    let slots = header.columns.compactMap { $0.map { $0 & 31 } }
    header.missing = [Field.device, .stage].first { !slots.contains($0.rawValue) }.map { "\($0)" }
    return (header, newline.map { $0 + 1 } ?? text.count)
  }
}

/// Cuts CSV (RFC 4180: quotes, doubled quotes, line breaks inside quotes) into rows of cells.
struct CSVRows: ~Copyable {
  let header: CSVHeader
  private let kinds: [Field.Kind]
  private let cells: UnsafeMutablePointer<csj_cell>
  private let unquoted: UnsafeMutablePointer<UInt8>
  private var unquotedUsed = 0
  private var row = csj_row()
  private var column = 0
  private static let room = 1 << 22

  init(_ header: CSVHeader) {
    self.header = header
    kinds = Field.allCases.map(\.kind)
    cells = .allocate(capacity: Int(CSJ_SLOTS))
    unquoted = .allocate(capacity: Self.room)
  }

  deinit {
    cells.deallocate()
    unquoted.deallocate()
  }

  /// Hands over all whole rows; what is left of the last one comes again with more bytes behind it.
  mutating func take(
    _ text: UnsafeRawBufferPointer, isLast: Bool, _ reading: inout Reading
  ) -> (bytes: Int, lines: Int) {
    guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return (0, 0) }
    let isUTF8 = csj_valid_utf8(start, text.count)
    var (at, lines) = (0, 0)
    while at < text.count {
      let begin = at
      var lineBreaks = 0
      unquotedUsed = 0
      guard readRow(start, &at, text.count, isLast, &lineBreaks) else { return (begin, lines) }
      row.begin = UInt64(begin)
      row.end = UInt64(at)
      row.line = UInt64(lines + 1)
      lines += lineBreaks
      let isBlank = column == 1 && row.present == 0 && row.ignored == 0 && header.columns.count > 1
      if isBlank { continue }
      if !isUTF8, !csj_valid_utf8(start + begin, at - begin) { row.status = csj_invalid_utf8 }
      if row.status == csj_ok, column != header.columns.count {
        reading.refuseWidth(row, found: column, expected: header.columns.count)
      } else {
        reading.take(row, cells)
      }
    }
    return (at, lines)
  }

  /// One row, up to and with its line's end; false where the text ends before the row does.
  private mutating func readRow(
    _ text: UnsafePointer<UInt8>, _ at: inout Int, _ end: Int, _ isLast: Bool, _ lineBreaks: inout Int
  ) -> Bool {
    row = csj_row()
    column = 0
    while true {
      var cell: Text
      if at < end, text[at] == UInt8(ascii: "\"") {
        guard let quoted = readQuoted(text, &at, end, &lineBreaks) else {
          if !isLast { return false }
          row.status = csj_truncated
          at = end
          return true
        }
        cell = quoted
      } else {
        cell = readPlain(text, &at, end)
      }
      skipToEnd(text, &at, end)
      if at == end, !isLast { return false }
      put(cell)
      if at == end { return true }
      at += 1
      if text[at - 1] == UInt8(ascii: "\n") {
        lineBreaks += 1
        return true
      }
    }
  }

  /// The text up to the next comma or line break; a carriage return before a line's end is none of it.
  @inline(__always)
  private func readPlain(_ text: UnsafePointer<UInt8>, _ at: inout Int, _ end: Int) -> Text {
    let begin = at
    skipToEnd(text, &at, end)
    var cell = Text(start: text + begin, count: at - begin)
    if at < end ? text[at] == UInt8(ascii: "\n") : true, cell.count > 0, text[at - 1] == UInt8(ascii: "\r") {
      cell.count -= 1
    }
    return cell
  }

  /// To the comma or line break that ends a cell.
  @inline(__always)
  private func skipToEnd(_ text: UnsafePointer<UInt8>, _ at: inout Int, _ end: Int) {
    while at < end, text[at] != UInt8(ascii: ","), text[at] != UInt8(ascii: "\n") { at += 1 }
  }

  /// The text between quotes, doubled ones made single; nil where the closing one is not there.
  private mutating func readQuoted(
    _ text: UnsafePointer<UInt8>, _ at: inout Int, _ end: Int, _ lineBreaks: inout Int
  ) -> Text? {
    let begin = at + 1
    let room = unquoted + unquotedUsed
    var (count, next) = (0, begin)
    while next < end {
      let byte = text[next]
      if byte == UInt8(ascii: "\"") {
        if next + 1 < end, text[next + 1] == byte {
          next += 1
        } else {
          at = next + 1
          unquotedUsed += count
          return Text(start: room, count: count)
        }
      }
      lineBreaks += byte == UInt8(ascii: "\n") ? 1 : 0
      room[count] = byte
      count += 1
      next += 1
    }
    return nil
  }

  private mutating func put(_ text: Text) {
    defer { column += 1 }
    guard column < header.columns.count, !text.isEmpty else { return }
    guard let found = header.columns[column], found & 0x7F < kinds.count else {
      row.ignored += 1
      return
    }
    let (slot, bit) = (found & 31, UInt32(1) << UInt32(found & 31))
    let isWeak = found & Int(CSJ_WEAK) != 0
    if isWeak, row.strong & bit != 0 { return }
    if !isWeak { row.strong |= bit }
    row.present |= UInt64(bit)
    cells[slot] = text.cell(kinds[slot])
  }
}

extension Text {
  /// What a value in a file without types stands for in a field of a kind.
  fileprivate func cell(_ kind: Field.Kind) -> csj_cell {
    var cell = csj_cell()
    cell.kind = csj_text_kind(start, count)
    cell.text = start
    cell.length = UInt32(count)
    switch kind {
    case .text, .word: break
    case .integer, .time:
      guard let number = integer else { break }
      cell.kind = csj_integer
      cell.integer = number
    case .boolean:
      guard let truth = boolean else { break }
      cell.kind = csj_boolean
      cell.integer = truth ? 1 : 0
    case .object: if bytes.first == UInt8(ascii: "{") { cell.kind = csj_object }
    }
    return cell
  }

  private var integer: Int64? {
    guard count <= 20 else { return nil }
    return Int64(Substring(decoding: bytes, as: UTF8.self))
  }

  private var boolean: Bool? {
    switch string {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }
}
