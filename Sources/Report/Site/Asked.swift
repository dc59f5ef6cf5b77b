public import Console
public import Query

/// An answer beside the command line that prints it, under the name that it has in `data.json`.
@dynamicMemberLookup
public struct Asked<Row: Encodable & Sendable>: Sendable {
  public var name: String
  /// The question with what is its own, and what all questions of the site have in common.
  public var brief: ShellCommand
  public var common: [(name: String, value: String)]
  public var answer: Answer<Row>

  public init(
    _ name: String, brief: ShellCommand, common: [(name: String, value: String)], _ answer: Answer<Row>
  ) {
    (self.name, self.brief, self.common) = (name, brief, common)
    self.answer = answer
  }

  public subscript<Value>(dynamicMember path: KeyPath<Answer<Row>, Value>) -> Value { answer[keyPath: path] }
}

/// An answer whatever its rows, as `data.json` holds it.
struct Exhibit {
  var name: String
  private var own: ShellCommand
  private var commonOptions: [(name: String, value: String)]
  var schema: String
  var json: () throws -> JSON
  /// A later option of the same name would win, and none of these has one.
  var command: ShellCommand { commonOptions.reduce(own) { $0.option($1.name, $1.value) } }
  /// What is its own, where the rest can be typed behind it; else all of it.
  var brief: ShellCommand { own.isOpen ? own : command }
  var common: ShellCommand { commonOptions.reduce(ShellCommand()) { $0.option($1.name, $1.value) } }

  init(_ asked: Asked<some Encodable & Sendable>) {
    (name, own, commonOptions, schema) = (asked.name, asked.brief, asked.common, asked.schema)
    json = { try JSON(encoding: asked.answer) }
  }
}
