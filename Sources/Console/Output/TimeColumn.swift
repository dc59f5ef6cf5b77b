internal import Lifecycle

/// How short the times of a column can be said: `2025-03-01 08:00 UTC`, `2025-03-01 08:00`, and `03-01 08:00` where all of the table
/// are of one year. A time that is cut anywhere else says nothing.
struct TimeColumn {
  /// The widths of these forms, the widest first.
  let widths: [Int]

  static let withZone = 20
  static let withYear = 16
  private static let withDay = 11

  /// nil where the cells are no times.
  init?(_ cells: [Cell], year: String?) {
    let times = cells.compactMap(\.time)
    let others = cells.contains { $0.isNumeric }
    guard !times.isEmpty, !others, times.allSatisfy({ $0.utf8.count == Self.withZone }) else { return nil }
    widths = [Self.withZone, Self.withYear] + (year == nil ? [] : [Self.withDay])
  }

  /// The year of all times of a table; nil where they are of several.
  static func year(_ table: Table) -> String? {
    let years = Set(table.rows.joined().compactMap(\.time).map { String($0.prefix(4)) })
    return years.count == 1 ? years.first : nil
  }

  func narrower(than width: Int) -> Int { widths.first { $0 < width } ?? width - 1 }

  /// The longest form that fits; another text of the column, such as a dash, stays as it is.
  func text(_ words: String, _ width: Int) -> String {
    guard words.utf8.count == Self.withZone, words.hasSuffix(" UTC"), width < Self.withZone else { return words }
    let isShort = width < Self.withYear && widths.contains(Self.withDay)
    return String(words.dropFirst(isShort ? 5 : 0).dropLast(4))
  }
}

extension Cell {
  fileprivate var time: String? { if case .instant(let time) = self { time.words } else { nil } }
}
