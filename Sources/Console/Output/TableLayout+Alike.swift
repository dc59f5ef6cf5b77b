/// Texts that differ at their ends: channels of customers, labels of nightly builds, models of one house.
extension TableLayout {
  /// What several texts of a column would read as with their ends cut off.
  func alike(_ column: Int, _ width: Int) -> Set<String> {
    guard !isNumeric[column], !columns[column].wraps, times[column] == nil, valueWidths[column] > width else {
      return []
    }
    let cut = Dictionary(grouping: Set(cells.map { $0[column].value })) { truncated($0, to: width) }
    return Set(cut.filter { $0.value.count > 1 }.keys)
  }

  /// - Parameter alike: of these the end is kept as well.
  func shortened(_ text: String, to width: Int, _ alike: Set<String>) -> String {
    let short = truncated(text, to: width)
    return alike.contains(short) ? truncatedWithin(text, to: width) : short
  }
}
