internal import Lifecycle

/// The cells of a table as text, with what each column needs. Widths are columns of a terminal.
struct TableLayout {
  let titles: [String]
  let cells: [[(value: String, interval: String)]]
  let columns: [Table.Column]
  let isNumeric: [Bool]
  let valueWidths: [Int]
  let times: [TimeColumn?]
  private let year: String?

  init(_ table: Table, _ glyphs: Glyphs) {
    columns = table.columns
    titles = table.columns.map { harmless($0.title) }
    let cells = table.rows.map { row in
      row.map { cell in
        let words = cell.words(glyphs)
        return (value: harmless(words.value), interval: words.interval)
      }
    }
    isNumeric = table.columns.indices.map(table.isNumeric)
    valueWidths = table.columns.indices.map { column in
      table.rows.indices.reduce(0) { max($0, displayWidth(cells[$1][column].value)) }
    }
    self.cells = cells
    let year = TimeColumn.year(table)
    times = table.columns.indices.map { column in TimeColumn(table.rows.map { $0[column] }, year: year) }
    self.year = year
  }

  private func natural(_ column: Int) -> Int {
    let values = cells.map { row in
      row[column].interval.isEmpty ? valueWidths[column] : valueWidths[column] + 1 + displayWidth(row[column].interval)
    }
    return max(displayWidth(titles[column]), values.max() ?? 0)
  }

  /// A text column can shrink to its heading, but not below the least of its column; numbers are never cut, nor times.
  private func least(_ column: Int) -> Int {
    if isNumeric[column] { return natural(column) }
    let least = times[column]?.widths.last ?? columns[column].least
    return min(natural(column), max(least, displayWidth(titles[column])))
  }

  func narrowest(_ shown: [Int]) -> Int {
    shown.reduce(2 * (shown.count - 1)) { $0 + least($1) }
  }

  /// The widths of the shown columns; the widest text columns give way first.
  func widths(_ shown: [Int], fitting width: Int) -> [Int] {
    var widths = shown.map(natural)
    while widths.reduce(2 * (shown.count - 1), +) > width {
      let shrinkable = widths.indices.filter { widths[$0] > least(shown[$0]) }
      guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
      let column = shown[widest]
      let next = times[column]?.narrower(than: widths[widest]) ?? widths[widest] - 1
      widths[widest] = max(next, least(column))
    }
    return withOneTimeForm(shown, widths)
  }

  private func withOneTimeForm(_ shown: [Int], _ widths: [Int]) -> [Int] {
    let shortest = zip(shown, widths).filter { times[$0.0] != nil }.map(\.1).min() ?? 0
    return zip(shown, widths).map { column, width in
      times[column] == nil ? width : min(width, max(shortest, least(column)))
    }
  }

  func lines(_ shown: [Int], _ widths: [Int]) -> [String] {
    let heading = zip(shown, widths).map { column, width in
      padded(truncated(titles[column], to: width), to: width, rightAligned(column) ? .right : .left)
    }
    let doubles = zip(shown, widths).map { alike($0, $1) }
    let body = cells.flatMap { row in
      lines(of: shown.indices.map { texts(row[shown[$0]], shown[$0], widths[$0], doubles[$0]) }, widths)
    }
    return ([heading] + body).map { cells in
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// A row has as many lines as its longest cell.
  private func lines(of texts: [[String]], _ widths: [Int]) -> [[String]] {
    (0..<(texts.map(\.count).max() ?? 1)).map { line in
      zip(texts, widths).map { line < $0.count ? $0[line] : padded("", to: $1) }
    }
  }

  /// Numbers stand right; with an interval, the value stands right before intervals that begin at one place.
  private func texts(
    _ cell: (value: String, interval: String), _ column: Int, _ width: Int, _ alike: Set<String>
  ) -> [String] {
    guard isNumeric[column] else {
      if columns[column].wraps { return folded(cell.value, to: width).map { padded($0, to: width) } }
      let value = times[column]?.text(cell.value, width) ?? cell.value
      return [padded(shortened(value, to: width, alike), to: width)]
    }
    let value = padded(cell.value, to: valueWidths[column], .right)
    if hasInterval(column) { return [padded(cell.interval.isEmpty ? value : value + " " + cell.interval, to: width)] }
    return [padded(value, to: width, .right)]
  }

  private func hasInterval(_ column: Int) -> Bool { cells.contains { !$0[column].interval.isEmpty } }
  private func rightAligned(_ column: Int) -> Bool { isNumeric[column] && !hasInterval(column) }

  /// Says what times were shortened by.
  func timeNote(_ shown: [Int], _ widths: [Int]) -> [String] {
    let narrowest = zip(shown, widths).filter { times[$0.0] != nil }.map(\.1).min() ?? .max
    guard narrowest < TimeColumn.withZone else { return [] }
    return ["note: times are in UTC" + (narrowest < TimeColumn.withYear ? year.map { ", of \($0)" } ?? "" : "")]
  }
}
