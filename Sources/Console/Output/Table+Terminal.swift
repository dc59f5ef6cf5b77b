internal import Lifecycle

extension Table {
  /// Aligned columns, two spaces apart, under a bold heading; below it why values are missing.
  ///
  /// Nothing is wider than `width`: long texts end in `…`, and where that is not enough, optional columns are left out
  /// from the right, which a note names.
  public func aligned(width: Int, glyphs: Glyphs, colour: Bool = false) -> String {
    let layout = Layout(self, glyphs)
    var shown = Array(columns.indices)
    while layout.narrowest(shown) > width, let last = shown.last(where: { columns[$0].isOptional }) {
      shown.removeAll { $0 == last }
    }
    let widths = layout.widths(shown, fitting: width)
    let lines = layout.lines(shown, widths).map { truncated($0, to: width) }
    let heading = lines.first.map { colour ? "\u{1B}[1m\($0)\u{1B}[0m" : $0 }
    let notes = missingNotes(shown, glyphs) + hiddenNote(shown)
    let wrappedNotes = notes.flatMap { wrapped($0, to: width) }
    return ([heading].compactMap(\.self) + lines.dropFirst() + wrappedNotes).map { $0 + "\n" }.joined()
  }

  /// `— MEDIAN, P90: not reached`, a line for each reason.
  private func missingNotes(_ shown: [Int], _ glyphs: Glyphs) -> [String] {
    var titles: [(reason: String, titles: [String])] = []
    for column in shown {
      for case .missing(let reason) in rows.map({ $0[column] }) where !reason.isEmpty {
        let title = columns[column].title
        guard let place = titles.firstIndex(where: { $0.reason == reason }) else {
          titles.append((reason, [title]))
          continue
        }
        if titles[place].titles.last != title { titles[place].titles.append(title) }
      }
    }
    return titles.map { "\(glyphs.missing) \($0.titles.joined(separator: ", ")): \(harmless($0.reason))" }
  }

  private func hiddenNote(_ shown: [Int]) -> [String] {
    let hidden = columns.indices.filter { !shown.contains($0) }.map { harmless(columns[$0].title) }
    return hidden.isEmpty ? [] : ["note: hidden: \(hidden.joined(separator: ", ")); widen the terminal"]
  }
}

/// The cells of a table as text, with what each column needs.
private struct Layout {
  let titles: [String]
  let cells: [[(value: String, interval: String)]]
  let isNumeric: [Bool]
  let valueWidths: [Int]
  let leasts: [Int]

  init(_ table: Table, _ glyphs: Glyphs) {
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
    leasts = table.columns.map(\.least)
  }

  private func natural(_ column: Int) -> Int {
    let values = cells.map { row in
      row[column].interval.isEmpty ? valueWidths[column] : valueWidths[column] + 1 + displayWidth(row[column].interval)
    }
    return max(displayWidth(titles[column]), values.max() ?? 0)
  }

  /// A text column can shrink to its heading, but not below the least of its column; numbers are never cut.
  private func least(_ column: Int) -> Int {
    isNumeric[column] ? natural(column) : min(natural(column), max(leasts[column], displayWidth(titles[column])))
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
      widths[widest] -= 1
    }
    return widths
  }

  func lines(_ shown: [Int], _ widths: [Int]) -> [String] {
    let heading = zip(shown, widths).map { column, width in
      padded(truncated(titles[column], to: width), to: width, rightAligned(column) ? .right : .left)
    }
    let body = cells.map { row in zip(shown, widths).map { text(row[$0], $0, $1) } }
    return ([heading] + body).map { cells in
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Numbers stand right; with an interval, the value stands right before intervals that begin at one place.
  private func text(_ cell: (value: String, interval: String), _ column: Int, _ width: Int) -> String {
    guard isNumeric[column] else { return padded(truncated(cell.value, to: width), to: width) }
    let value = padded(cell.value, to: valueWidths[column], .right)
    if hasInterval(column) { return padded(cell.interval.isEmpty ? value : value + " " + cell.interval, to: width) }
    return padded(value, to: width, .right)
  }

  private func hasInterval(_ column: Int) -> Bool { cells.contains { !$0[column].interval.isEmpty } }
  private func rightAligned(_ column: Int) -> Bool { isNumeric[column] && !hasInterval(column) }
}
