extension JSON {
  public enum Style: Sendable {
    /// No spaces, one line.
    case compact
    /// Two spaces a level, one element a line.
    case pretty
  }

  /// The value as text, without a newline at the end. The same value gives the same bytes everywhere.
  ///
  /// Keys are sorted by Unicode scalars, doubles take their shortest form that reads back the same, and a double that
  /// is not finite is `null`, as JSON has no word for it.
  public func text(_ style: Style = .compact) -> String {
    var result = ""
    write(to: &result, style, depth: 0)
    return result
  }

  private func write(to result: inout String, _ style: Style, depth: Int) {
    switch self {
    case .null: result += "null"
    case .bool(let value): result += value ? "true" : "false"
    case .integer(let value): result += String(value)
    case .number(let value): result += jsonNumber(value)
    case .string(let value): appendQuoted(value, to: &result)
    case .array(let elements):
      writeList(elements, "[", "]", to: &result, style, depth) { $0.write(to: &$1, style, depth: depth + 1) }
    case .object(let fields):
      // UTF-8 sorts as the scalars do.
      let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      writeList(sorted, "{", "}", to: &result, style, depth) { field, result in
        appendQuoted(field.key, to: &result)
        result += style == .pretty ? ": " : ":"
        field.value.write(to: &result, style, depth: depth + 1)
      }
    }
  }

  private func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, to result: inout String, _ style: Style, _ depth: Int,
    element: (Element, inout String) -> Void
  ) {
    func newline(_ depth: Int) -> String {
      style == .pretty && !elements.isEmpty ? "\n" + String(repeating: "  ", count: depth) : ""
    }
    result += open
    for (index, value) in elements.enumerated() {
      result += (index == 0 ? "" : ",") + newline(depth + 1)
      element(value, &result)
    }
    result += newline(depth) + close
  }
}

/// The shortest text that reads back as the same double; whole numbers without `.0`, nothing as `0` whatever its sign.
private func jsonNumber(_ value: Double) -> String {
  guard value.isFinite else { return "null" }
  guard value != 0 else { return "0" }
  let text = value.description
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

private func appendQuoted(_ text: String, to result: inout String) {
  result += "\""
  defer { result += "\"" }
  guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) else { return result += text }
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case _
    where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || [0x2028, 0x2029].contains(scalar.value):
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
}
