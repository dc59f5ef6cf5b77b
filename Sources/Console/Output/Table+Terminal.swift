internal import Lifecycle

extension Table {
  /// Aligned columns, two spaces apart, under a bold heading; below it why values are missing.
  ///
  /// Nothing but texts below the table is wider than `width`: long texts end in `…`, have it amid them where they would read alike, or go on in the next
  /// line; times lose zone and year, which a note says. Where that is not enough, columns are left out: empty ones, optional ones from the right, then others from the
  /// right. A note names them.
  public func aligned(width: Int, glyphs: Glyphs, colour: Bool = false) -> String {
    let layout = TableLayout(self, glyphs)
    let shown = shown(layout, width)
    let widths = layout.widths(shown, fitting: width)
    let lines = layout.lines(shown, widths).map { truncated($0, to: width) }
    let heading = lines.first.map { colour ? "\u{1B}[1m\($0)\u{1B}[0m" : $0 }
    let notes = missingNotes(shown, glyphs) + layout.timeNote(shown, widths) + hiddenNote(shown)
    let wrappedNotes = notes.flatMap { wrapped($0, to: width) }
    return ([heading].compactMap(\.self) + lines.dropFirst() + wrappedNotes + textsBelow).map { $0 + "\n" }.joined()
  }

  /// Where a column is empty, nothing is lost without it; the first one names the row.
  private func shown(_ layout: TableLayout, _ width: Int) -> [Int] {
    var shown = columns.indices.filter { !columns[$0].isBelow && !columns[$0].isForPrograms }
    func leaveOut(_ isMeant: (Int) -> Bool) {
      while layout.narrowest(shown) > width, let last = shown.dropFirst().last(where: isMeant) {
        shown.removeAll { $0 == last }
      }
    }
    leaveOut(isEmpty)
    leaveOut { columns[$0].isOptional }
    leaveOut { _ in true }
    return shown
  }

  private func isEmpty(_ column: Int) -> Bool { !rows.isEmpty && rows.allSatisfy { $0[column] == .text("") } }

  /// `backup: uptake backup FILE`, a line for each text of a column that stands below the table.
  private var textsBelow: [String] {
    columns.indices.filter { columns[$0].isBelow }.flatMap { column in
      rows.filter { $0[column] != .text("") }.map { row in
        harmless("\(row[0].words(.unicode).value): \(row[column].words(.unicode).value)")
      }
    }
  }

  /// Why cells are empty, by the columns' names for programs: rows for these have no room for it.
  func whyEmpty(_ glyphs: Glyphs) -> [String] { missingNotes(Array(columns.indices), glyphs, named: \.key) }

  /// `— MEDIAN, P90: not reached`, a line for each reason.
  private func missingNotes(
    _ shown: [Int], _ glyphs: Glyphs, named name: KeyPath<Column, String> = \.title
  ) -> [String] {
    var titles: [(reason: String, titles: [String])] = []
    for column in shown {
      for case .missing(let reason) in rows.map({ $0[column] }) where !reason.isEmpty {
        let title = columns[column][keyPath: name]
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
    let hidden = columns.indices.filter {
      !shown.contains($0) && !columns[$0].isBelow && !columns[$0].isForPrograms && !isEmpty($0)
    }
    let titles = hidden.map { harmless(columns[$0].title) }
    return titles.isEmpty ? [] : ["note: hidden: \(titles.joined(separator: ", ")); widen the terminal"]
  }
}
