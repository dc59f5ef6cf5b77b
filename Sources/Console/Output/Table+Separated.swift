internal import Lifecycle

extension Table {
  /// Tab-separated full values, one line a row; tabs, line breaks and escapes in values are made visible.
  public func tsv(header: Bool = true) -> String {
    lines(header: header).map { $0.map { harmless($0.text) }.joined(separator: "\t") + "\n" }.joined()
  }

  /// RFC 4180, lines ended by CR LF. A text that a spreadsheet would take for a formula is guarded by an apostrophe; line
  /// breaks and escapes in values are made visible.
  public func csv(header: Bool = true) -> String {
    lines(header: header).map { $0.map(csvField).joined(separator: ",") + "\r\n" }.joined()
  }

  /// A table of GitHub-flavoured Markdown with values as people read them.
  public func markdown() -> String {
    let shown = columns.indices.filter { !columns[$0].isForPrograms }
    let alignment = shown.map { isNumeric($0) ? "---:" : "---" }
    let body = rows.map { row in shown.map { markdownCell(row[$0].words(.unicode)) } }
    let lines = [shown.map { markdownText(columns[$0].title) }, alignment] + body
    return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  /// Whether the column holds numbers: some, and nothing else but missing values.
  func isNumeric(_ column: Int) -> Bool {
    rows.contains { $0[column].isNumeric }
  }

  private func lines(header: Bool) -> [[(text: String, isText: Bool)]] {
    let names = columns.flatMap { column in
      (column.hasInterval ? ["", "_lo", "_hi"] : [""]).map { (text: column.key + $0, isText: false) }
    }
    let values = rows.map { row in
      zip(columns, row).flatMap { column, cell in
        let ends = column.hasInterval ? cell.rawInterval : []
        return [(text: cell.raw, isText: !cell.isNumeric)] + ends.map { (text: $0, isText: false) }
      }
    }
    return (header ? [names] : []) + values
  }
}

/// Whether a spreadsheet would take the text for a formula: by its first character, which some take in full width, too.
public func isFormula(_ text: String) -> Bool {
  let first: [Unicode.Scalar] = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]
  return text.unicodeScalars.first.map(first.contains) ?? false
}

private func csvField(_ field: (text: String, isText: Bool)) -> String {
  let text = harmless(field.text)
  let guarded = field.isText && isFormula(field.text) ? "'" + text : text
  guard guarded.unicodeScalars.contains(where: { ["\"", ",", "\n", "\r"].contains($0) }) else { return guarded }
  return "\"" + guarded.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\""
}

private func markdownCell(_ words: (value: String, interval: String)) -> String {
  markdownText(words.interval.isEmpty ? words.value : words.value + " " + words.interval)
}

/// The text with everything escaped that Markdown or HTML would act on.
func markdownText(_ text: String) -> String {
  harmless(text).replacingScalars { scalar in
    switch scalar {
    case "|", "\\", "`", "*", "_", "[", "]", "~", "#": "\\\(scalar)"
    case "<": "&lt;"
    case "&": "&amp;"
    default: nil
    }
  }
}
