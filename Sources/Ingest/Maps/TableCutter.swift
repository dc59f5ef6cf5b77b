/// Cuts a table into rows and these into cells: CSV as RFC 4180 has it, or plain text between tabs.
struct TableCutter {
  let separator: UInt8
  let isQuoted: Bool

  struct Row {
    var cells: [[UInt8]] = []
    var lineBreaks = 0
    /// Whether the file ends inside of quotation marks.
    var isTruncated = false

    var isBlank: Bool { cells.count == 1 && cells[0].isEmpty }
  }

  init(_ format: EventMap.Format) {
    (separator, isQuoted) = format == .csv ? (UInt8(ascii: ","), true) : (UInt8(ascii: "\t"), false)
  }

  /// The row that begins at `at`, which is moved behind its line's end; nil where the text ends before the row does.
  func row(_ text: UnsafeRawBufferPointer, _ at: inout Int, isLast: Bool) -> Row? {
    var (row, next) = (Row(), at)
    while true {
      guard let cell = cell(text, &next, &row) else {
        guard isLast else { return nil }
        (row.isTruncated, at) = (true, text.count)
        return row
      }
      row.cells.append(cell)
      if next == text.count {
        if isLast { at = next }
        return isLast ? row : nil
      }
      next += 1
      if text[next - 1] == UInt8(ascii: "\n") {
        row.lineBreaks += 1
        at = next
        return row
      }
    }
  }

  /// One cell, up to the separator or line break behind it; nil where its quotation marks are not closed.
  private func cell(_ text: UnsafeRawBufferPointer, _ next: inout Int, _ row: inout Row) -> [UInt8]? {
    var cell: [UInt8] = []
    let isInQuotes = isQuoted && next < text.count && text[next] == UInt8(ascii: "\"")
    if isInQuotes {
      guard let unquoted = unquoted(text, &next, &row) else { return nil }
      cell = unquoted
    }
    let begin = next
    while next < text.count, text[next] != separator, text[next] != UInt8(ascii: "\n") { next += 1 }
    // What stands behind a closing mark is dropped, as it is of our own CSV.
    if !isInQuotes { cell = Array(text[begin..<next]) }
    let endsLine = next == text.count || text[next] == UInt8(ascii: "\n")
    if !isInQuotes, endsLine, cell.last == UInt8(ascii: "\r") { cell.removeLast() }
    return cell
  }

  private func unquoted(_ text: UnsafeRawBufferPointer, _ next: inout Int, _ row: inout Row) -> [UInt8]? {
    var (cell, at) = ([UInt8](), next + 1)
    while at < text.count {
      let byte = text[at]
      at += 1
      if byte == UInt8(ascii: "\"") {
        guard at < text.count, text[at] == byte else {
          next = at
          return cell
        }
        at += 1
      }
      if byte == UInt8(ascii: "\n") { row.lineBreaks += 1 }
      cell.append(byte)
    }
    return nil
  }
}
