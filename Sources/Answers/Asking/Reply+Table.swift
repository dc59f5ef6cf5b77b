internal import Console
internal import Query

extension Reply {
  /// The fields that have a heading, a line for each row, or for each element of a list whose fields have one.
  var table: Table {
    let columns = columns
    return Table(
      columns.map(\.heading),
      rows: rows.flatMap { row in lines(columns.map { $0.cells(row) }) }
        + answer.withheld.map { group in columns.map { group.cell($0) } })
  }

  /// What names the row, then the groups, then figures.
  private var columns: [Column<Question.Row>] {
    let own = Question.fields(self).flatMap(\.columns).enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }.map(\.element)
    let split = zip(groups.names, groups.columns).map { name, heading in
      Column(position: 0, heading: heading, isName: true) { Question.cells(name, $0) }
    }
    return own.filter(\.isName) + split + own.filter { !$0.isName }
  }
}

/// The cells of one row, column by column, as lines: what is said once stands in all of them.
private func lines(_ cells: [Lines<Cell>]) -> [[Cell]] {
  let counts = cells.compactMap(\.count)
  precondition(counts.allSatisfy { $0 == counts[0] }, "the columns of a row have different numbers of lines")
  return (0..<(counts.first ?? 1)).map { line in cells.map { $0[line] } }
}

extension Lines<Cell> {
  /// nil where one stands for all.
  fileprivate var count: Int? {
    switch self {
    case .one: nil
    case .each(let cells): cells.count
    }
  }

  fileprivate subscript(line: Int) -> Cell {
    switch self {
    case .one(let cell): cell
    case .each(let cells): cells[line]
    }
  }
}

extension Withheld {
  /// Its names, and why there is nothing else.
  fileprivate func cell<Row>(_ column: Column<Row>) -> Cell {
    guard column.isName else { return .missing(because: "fewer devices than --min-cell") }
    let key = column.heading.key
    return .text((key == "release" ? release : nil) ?? group.parts[key] ?? "")
  }
}
