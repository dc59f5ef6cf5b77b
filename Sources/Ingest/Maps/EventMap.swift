/// How rows of another program's export become events: declared in a file, not programmed.
///
/// A row gives one event or none. What it gives goes through the same checks as an event of our own format.
public struct EventMap: Equatable, Sendable {
  public enum Format: String, CaseIterable, Sendable {
    /// One JSON object a line.
    case jsonl
    /// RFC 4180, with the names of the columns in its first row.
    case csv
    /// Split at tabs, without quotation marks.
    case tsv
    /// Lines of text, cut by a pattern.
    case log
  }

  public var format: Format
  /// How a line of a log is cut into named parts.
  public var pattern: TextPattern?
  /// The names of the columns where the file has no header.
  public var columns: [String] = []
  /// Rows that do not hold all of these are skipped.
  public var conditions: [MapCondition] = []
  public var fields: [MapField] = []
  public var tags: [MapTag] = []

  public init(format: Format) { self.format = format }

  /// The fields of an event that a map may fill.
  public static let fieldNames = Field.allCases.filter { $0 != .foreign && $0 != .gateway }.map { "\($0)" }
}

/// Where a field of the event comes from: the first source that has a value.
public struct MapField: Equatable, Sendable {
  let field: Field
  public var sources: [MapSource]

  /// nil where there is no field of that name.
  public init?(_ name: String, _ sources: [MapSource]) {
    guard EventMap.fieldNames.contains(name), let field = Field.allCases.first(where: { "\($0)" == name }) else {
      return nil
    }
    (self.field, self.sources) = (field, sources)
  }
}

/// A tag of the app's own, and where its value comes from.
public struct MapTag: Equatable, Sendable {
  public var name: String
  public var sources: [MapSource]

  public init(_ name: String, _ sources: [MapSource]) { (self.name, self.sources) = (name, sources) }
}

/// What a row must, or must not, hold to be read.
public struct MapCondition: Equatable, Sendable {
  public var source: MapSource
  /// The values that are meant; empty: any.
  public var values: [String]
  public var isNegated: Bool

  public init(_ source: MapSource, values: [String], isNegated: Bool) {
    (self.source, self.values, self.isNegated) = (source, values, isNegated)
  }

  func holds(_ row: JSONValue) -> Bool {
    guard case .value(let value, _) = source.find(row) else { return isNegated }
    return (values.isEmpty || value.plainText.map(values.contains) == true) != isNegated
  }
}

/// What is wrong in a part of a map, and what to write instead.
public struct MapSyntaxError: Error, Equatable, Sendable {
  public var message: String
  public var hint: String

  public init(_ message: String, hint: String) { (self.message, self.hint) = (message, hint) }
}

extension EventMap {
  public var fieldNames: [String] { fields.map { "\($0.field)" } }
  /// All that it reads of a row.
  public var paths: [MapPath] {
    (conditions.map(\.source) + fields.flatMap(\.sources) + tags.flatMap(\.sources)).flatMap { source in
      source.paths + [source.when].compactMap(\.self)
    }
  }
}
