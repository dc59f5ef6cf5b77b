internal import Console

/// The table for other programs: the same numbers, whole. Shares are 0 to 1, times are seconds.
extension DataTable {
  var file: PanelFile {
    let all = columns.indices.map { index in
      index == 0 ? heads(columns[0], rows.map { $0[0] }) : parts(columns[index], rows.map { $0[index] })
    }
    let cells = rows.indices.map { row in all.flatMap { $0.cells[row] } }
    return PanelFile(kind: .csv, text: Table(all.flatMap { $0.columns }, rows: cells).csv())
  }

  /// What a row is about: a name, an instant, or a number.
  private func heads(_ column: Column, _ cells: [HTML]) -> (columns: [Table.Column], cells: [[Cell]]) {
    let rows = cells.map { cell in [cell.numbers.first.map(Self.cell) ?? .text(cell.instant ?? cell.words)] }
    return ([Table.Column(column.title, key: column.title)], rows)
  }

  /// What stands in one column of a page may be several numbers: `26 of 1,018`. What is not known is an empty cell, and says why
  /// in a column beside it.
  private func parts(_ column: Column, _ cells: [HTML]) -> (columns: [Table.Column], cells: [[Cell]]) {
    let numbers = cells.map(\.numbersInPlace)
    let most = numbers.map(\.count).max() ?? 0
    let isNumeric = most > 0 || !cells.isEmpty && cells.allSatisfy(\.isUnknown)
    let reasons = cells.map { $0.reason(inNumbers: isNumeric) }
    let columns = (0..<max(most, 1)).map { place in
      let name = place == 0 ? column.title : "\(column.title) \(place + 1)"
      return Table.Column(name, key: name, hasInterval: numbers.contains { $0.count > place && $0[place].count > 1 })
    }
    let rows = zip(cells, numbers).map { cell, numbers in
      columns.indices.map { place -> Cell in
        if numbers.count > place { return Self.cell(numbers[place]) }
        return place > 0 || cell.reason(inNumbers: isNumeric) != nil
          ? .missing(because: "") : .text(cell.instant ?? cell.words)
      }
    }
    guard reasons.contains(where: { $0?.isEmpty == false }) else { return (columns, rows) }
    let why = "\(column.title)_reason"
    return (columns + [Table.Column(why, key: why)], zip(rows, reasons).map { $0 + [.text($1 ?? "")] })
  }

  /// A value alone, with one limit that lies above or below it, or with both.
  private static func cell(_ numbers: [Double]) -> Cell {
    guard let value = numbers.first else { return .missing(because: "") }
    guard numbers.count < 3 else { return .quantity(value, .init(numbers[1], numbers[2]), .number(digits: 6)) }
    guard let limit = numbers.dropFirst().first else { return .quantity(value, nil, .number(digits: 6)) }
    return .quantity(value, limit < value ? .init(limit, nil) : .init(nil, limit), .number(digits: 6))
  }
}

extension HTML {
  /// A dash, or fewer than may be shown.
  fileprivate var isUnknown: Bool {
    words.hasPrefix("—") || words.hasPrefix("<") && words.count > 1 && words.dropFirst().allSatisfy(\.isNumber)
  }

  /// Behind a dash what follows is not the number that is missing.
  fileprivate var numbersInPlace: [[Double]] { isUnknown && !numbers.isEmpty ? [[]] + numbers : numbers }

  /// Why there is no number; nil where there is one, or an instant, or where nothing but a dash stands.
  fileprivate func reason(inNumbers isNumeric: Bool) -> String? {
    if isUnknown { return String(words.drop { $0 == "—" || $0 == " " }) }
    return isNumeric && numbers.isEmpty && instant == nil && !words.isEmpty ? words : nil
  }

  /// The instant that it names, whole, where it is nothing else.
  fileprivate var instant: String? {
    let parts = description.split(separator: "datetime=\"", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let instant = String(parts[1].prefix { $0 != "\"" })
    return words == Format.minute(instant) ? instant : nil
  }
}
