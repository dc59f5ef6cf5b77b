import CSimdjson

/// Reads parts of a file by a map.
struct MapReader {
  let map: EventMap
  private var row: MappedRow
  private let cutter: TableCutter
  /// Of tables; once the header is read.
  private(set) var columns: [String]

  init(_ map: EventMap) {
    self.map = map
    row = MappedRow(map)
    cutter = TableCutter(map.format)
    columns = map.columns
  }

  var isTable: Bool { map.format == .csv || map.format == .tsv }
  var hasHeader: Bool { isTable && map.columns.isEmpty }

  /// Reads the first row of a table, and says how long it is.
  mutating func readHeader(_ text: UnsafeRawBufferPointer) -> (length: Int, lines: Int) {
    var length = 0
    let header = cutter.row(text, &length, isLast: true)
    columns = (header?.cells ?? []).map { String(decoding: $0, as: UTF8.self) }
    return (length, header?.lineBreaks ?? 0)
  }

  /// A field that every event needs and that no column can give, with the columns that were looked for.
  var missingColumns: (field: String, wanted: [String])? {
    guard isTable else { return nil }
    let needed = map.fields.filter { $0.field == .device || $0.field == .stage }
    return needed.lazy.compactMap { rule -> (String, [String])? in
      let paths = rule.sources.flatMap(\.paths)
      let isThere = paths.contains { columns.contains($0.text) || $0.column.map(columns.contains) == true }
      let isConstant = rule.sources.contains { $0.paths.isEmpty }
      return isThere || isConstant ? nil : ("\(rule.field)", paths.map(\.text))
    }.first
  }

  /// Lines of JSON or of a log.
  mutating func readLines(_ text: UnsafeRawBufferPointer, _ reading: inout Reading) {
    var (begin, number) = (0, UInt64(0))
    while begin < text.count {
      let end = text[begin...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      number += 1
      var place = csj_row()
      (place.begin, place.end, place.line) = (UInt64(begin), UInt64(end), number)
      var line = Array(text[begin..<end])
      begin = end + 1
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if line.allSatisfy({ $0 <= 0x20 }) { continue }
      take(line, place, &reading)
    }
  }

  private mutating func take(_ line: [UInt8], _ place: csj_row, _ reading: inout Reading) {
    var place = place
    guard isUTF8(line) else {
      place.status = csj_invalid_utf8
      return reading.take(place, [])
    }
    if map.format == .log { return takeLog(String(decoding: line, as: UTF8.self), place, &reading) }
    do throws(JSONProblem) {
      let value = try JSONReader.read(line)
      guard value.members == nil else { return take(value, place, &reading) }
      place.status = csj_not_object
    } catch {
      place.status =
        switch error {
        case .malformed: csj_malformed
        case .truncated: csj_truncated
        case .tooDeep: csj_too_deep
        case .tooMany: csj_too_large
        }
    }
    reading.take(place, [])
  }

  /// A log writes a dash for what there is not.
  private mutating func takeLog(_ line: String, _ place: csj_row, _ reading: inout Reading) {
    guard let pattern = map.pattern, let parts = pattern.match(line) else {
      let form = quotedWord(map.pattern?.text ?? "")
      return reading.refuse(
        place, .invalidLine,
        "the line \(quotedWord(line)) is not of the form \(form); write the log's own form as pattern in the map")
    }
    let members = parts.filter { $0.text != "-" }.map { JSONValue.Member(name: $0.name, value: .string($0.text)) }
    take(.object(members), place, &reading)
  }

  /// Whole rows of a table; what is left of the last one comes again with more bytes behind it.
  mutating func readRows(
    _ text: UnsafeRawBufferPointer, isLast: Bool, _ reading: inout Reading
  ) -> (bytes: Int, lines: Int) {
    var (at, lines) = (0, 0)
    while at < text.count {
      let begin = at
      guard let cells = cutter.row(text, &at, isLast: isLast) else { return (begin, lines) }
      var place = csj_row()
      (place.begin, place.end, place.line) = (UInt64(begin), UInt64(at), UInt64(lines + 1))
      lines += cells.lineBreaks
      if cells.isBlank { continue }
      takeRow(cells, place, &reading)
    }
    return (at, lines)
  }

  private mutating func takeRow(_ cells: TableCutter.Row, _ place: csj_row, _ reading: inout Reading) {
    var place = place
    if cells.isTruncated || !cells.cells.allSatisfy(isUTF8) {
      place.status = cells.isTruncated ? csj_truncated : csj_invalid_utf8
      return reading.take(place, [])
    }
    guard cells.cells.count == columns.count else {
      return reading.refuseWidth(place, found: cells.cells.count, expected: columns.count)
    }
    let members = zip(columns, cells.cells).map { name, cell in
      JSONValue.Member(name: name, value: .string(String(decoding: cell, as: UTF8.self)))
    }
    take(.object(members), place, &reading)
  }

  private mutating func take(_ value: JSONValue, _ place: csj_row, _ reading: inout Reading) {
    switch row.read(value) {
    case .skipped: reading.skip()
    case .refused(let field, let code, let message):
      reading.refuse(place, code, field: "\(field)", message + row.origins.words(field))
    case .event:
      let origins = row.origins
      row.withCells { present, cells in
        var place = place
        place.present = present
        reading.take(place, cells) { origins.words($0) }
      }
    }
  }
}

private func isUTF8(_ bytes: [UInt8]) -> Bool {
  bytes.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { csj_valid_utf8($0, bytes.count) } ?? true }
}
