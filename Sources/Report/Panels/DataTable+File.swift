internal import Console

/// The table for other programs: the same numbers, whole. Shares are 0 to 1, times are seconds.
extension DataTable {
  var file: PanelFile {
    let all = columns.indices.map { index in parts(columns[index], rows.map { $0[index] }) }
    let cells = rows.indices.map { row in all.flatMap { $0.cells[row] } }
    return PanelFile(kind: .csv, text: Table(all.flatMap { $0.columns }, rows: cells).csv())
  }

  /// What stands in one column of a page may be several numbers: `26 of 1,018`.
  private func parts(_ column: Column, _ cells: [HTML]) -> (columns: [Table.Column], cells: [[Cell]]) {
    let numbers = cells.map(\.numbers)
    let most = numbers.map(\.count).max() ?? 0
    guard most > 0 else {
      return ([Table.Column(column.title, key: column.title)], cells.map { [.text($0.instant ?? $0.words)] })
    }
    let columns = (0..<most).map { place in
      let name = place == 0 ? column.title : "\(column.title) \(place + 1)"
      return Table.Column(name, key: name, hasInterval: numbers.contains { $0.count > place && $0[place].count > 1 })
    }
    let rows = zip(cells, numbers).map { cell, numbers in
      (0..<most).map { place -> Cell in
        numbers.count > place ? Self.cell(numbers[place]) : .missing(because: place == 0 ? cell.words : "")
      }
    }
    return (columns, rows)
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
  /// The instant that it names, whole, where it is nothing else.
  fileprivate var instant: String? {
    let parts = description.split(separator: "datetime=\"", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let instant = String(parts[1].prefix { $0 != "\"" })
    return words == Format.minute(instant) ? instant : nil
  }
}
