/// A configuration file in a strict subset of TOML.
///
/// Tables, arrays of tables, dotted keys; strings of one line, whole numbers, floats, booleans, arrays; comments. Not:
/// dates, inline tables, multi-line strings, quoted keys, other bases. What is not read is refused, never skipped.
public struct TOMLFile: Equatable, Sendable {
  public enum Value: Equatable, Sendable {
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    case array([Value])
  }

  public struct Entry: Equatable, Sendable {
    /// The whole key, such as `serve.listen`.
    public var key: String
    public var value: Value
    public var line: Int
    /// Which `[[table]]` it stands in, counted from 0; nil outside of them.
    public var element: Int?
  }

  public var path: String
  public var entries: [Entry]
  /// The lines of `[[table]]`, by name.
  public var elements: [String: [Int]]
  /// The lines of `[table]`, by name.
  public var tables: [String: Int]

  public init(_ text: String, path: String) throws(Failure) {
    var reader = TOMLReader(text, path: path)
    try reader.read()
    self.path = path
    (entries, elements, tables) = (reader.entries, reader.elements, reader.tables)
  }
}

extension TOMLFile.Value {
  /// The values as they would be typed on the command line.
  var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .integer(let value): [String(value)]
    case .float(let value): [JSON.number(value).text()]
    case .boolean(let value): [value ? "true" : "false"]
    case .array(let values): values.flatMap(\.texts)
    }
  }
}
