internal import Lifecycle

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
  /// is not finite is `null`, as JSON has no word for it. What cannot be seen, or reorders what can, is escaped: it reads
  /// back the same, and does nothing where the text is shown as it is.
  public func text(_ style: Style = .compact) -> String {
    var text = JSONText(style: style)
    text.append(self, depth: 0)
    return String(decoding: text.bytes, as: UTF8.self)
  }
}

private struct JSONText {
  let style: JSON.Style
  private(set) var bytes: [UInt8] = []

  init(style: JSON.Style) { self.style = style }

  private mutating func append(_ text: String) { bytes.append(text) }

  mutating func append(_ value: JSON, depth: Int) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append(String(value))
    case .number(let value): bytes.append(jsonNumber: value)
    case .string(let value): bytes.append(jsonString: value)
    case .array(let elements): append(elements, depth)
    case .object(let fields): append(fields, depth)
    }
  }

  private mutating func append(_ elements: [JSON], _ depth: Int) {
    append("[")
    for (index, value) in elements.enumerated() {
      beginElement(index, depth)
      append(value, depth: depth + 1)
    }
    if !elements.isEmpty { beginLine(depth) }
    append("]")
  }

  private mutating func append(_ fields: [String: JSON], _ depth: Int) {
    append("{")
    // UTF-8 sorts as the scalars do.
    let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (index, field) in sorted.enumerated() {
      beginElement(index, depth)
      bytes.append(jsonString: field.key)
      append(style == .pretty ? ": " : ":")
      append(field.value, depth: depth + 1)
    }
    if !sorted.isEmpty { beginLine(depth) }
    append("}")
  }

  private mutating func beginElement(_ index: Int, _ depth: Int) {
    if index > 0 { append(",") }
    beginLine(depth + 1)
  }

  private mutating func beginLine(_ depth: Int) {
    if style == .pretty { append("\n" + String(repeating: "  ", count: depth)) }
  }
}

extension [UInt8] {
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { unsafe append(contentsOf: $0) }
  }

  /// The shortest text that reads back as the same double; whole numbers without `.0`, nothing as `0` whatever its sign.
  mutating func append(jsonNumber value: Double) {
    guard value.isFinite else { return append("null") }
    guard value != 0 else { return append("0") }
    append(value.description)
    if suffix(2).elementsEqual(".0".utf8) { removeLast(2) }
  }
}
