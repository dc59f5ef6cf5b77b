internal import Console
public import Query

/// An answer beside the command line that prints it, under the name that it has in `data.json`.
@dynamicMemberLookup
public struct Asked<Row: Encodable & Sendable>: Sendable {
  public var name: String
  /// The question with what is its own, and what all questions of the site have in common.
  public var brief: String
  public var common: String
  public var answer: Answer<Row>

  public init(_ name: String, brief: String, common: String, _ answer: Answer<Row>) {
    (self.name, self.brief, self.common) = (name, brief, common)
    self.answer = answer
  }

  public subscript<Value>(dynamicMember path: KeyPath<Answer<Row>, Value>) -> Value { answer[keyPath: path] }
}

/// An answer whatever its rows, as `data.json` holds it.
struct Exhibit {
  var name: String
  var brief: String
  var common: String
  var schema: String
  var json: () throws -> JSON
  /// A later option of the same name would win, and none of these has one.
  var command: String { brief + " " + common }

  init(_ asked: Asked<some Encodable & Sendable>) {
    (name, brief, common, schema) = (asked.name, asked.brief, asked.common, asked.schema)
    json = { try JSON(encoding: asked.answer) }
  }
}
