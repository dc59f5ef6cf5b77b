internal import Answers
internal import Console
internal import Lifecycle
internal import Server
internal import Store

/// A question as a tool: how it is described to a program, and how it is asked by one.
struct QuestionTool: Sendable {
  let question: QuestionCommand

  /// As `tools/list` shows it.
  var description: JSON {
    let command = question.command(hash: hashed)
    let text = command.purpose + ". " + command.discussion
    return [
      "name": .string(question.name), "title": .string(command.purpose), "description": .string(text),
      "inputSchema": input, "outputSchema": question.schema.document,
      "annotations": ["readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false],
    ]
  }

  private var input: JSON {
    let arguments = question.arguments.map { argument in
      (argument.parameterName, JSON.object(["type": "string", "description": .string(argument.help)]))
    }
    let options = question.askable.map { ($0.name, $0.schema) }
    let required = question.arguments.filter { $0.arity == .one }.map { JSON.string($0.parameterName) }
    return [
      "type": "object", "properties": .object(Dictionary(arguments + options) { first, _ in first }),
      "required": .array(required), "additionalProperties": false,
    ]
  }

  /// What was sent by name as typed parameters, checked as a command line is.
  ///
  /// - Parameter usual: what holds where nothing was sent.
  func parameters(
    _ sent: [String: JSON], usual: [(option: Option, text: String)], now: Instant
  ) throws(Failure) -> Parameters {
    for name in sent.keys.sorted() where !question.parameterNames.contains(name) {
      throw Failure(
        "unknown_parameter", "there is no parameter \(quoted(name))",
        suggestions: suggestions(for: name, among: question.parameterNames),
        hints: ["known: " + question.parameterNames.joined(separator: ", ")], exit: .usage)
    }
    var arguments: [String] = []
    for argument in question.arguments {
      let texts = try sent[argument.parameterName].map { json throws(Failure) in try json.texts(argument.parameterName)
      }
      guard let text = texts?.last else {
        guard argument.arity == .one else { continue }
        throw Failure("missing_parameter", "the parameter \(argument.parameterName) is missing", exit: .usage)
      }
      arguments.append(text)
    }
    var options: [(option: Option, text: String)] = []
    for option in question.askable {
      for text in try sent[option.name]?.texts(option.name) ?? [] where option.takesValue || text == "true" {
        options.append((option, text))
      }
    }
    try Option.requireObjective(options.map(\.option), usual: usual.map(\.option))
    let silent = usual.filter { entry in
      question.askable.contains { $0.name == entry.option.name } && sent[entry.option.name] == nil
    }
    return try question.parameters(arguments: arguments, sent: options + silent, now: now)
  }
}

extension Option {
  /// The JSON Schema of a value that a program sends.
  fileprivate var schema: JSON {
    let one = kind.schema
    let shape: JSON = arity == .once ? one : ["type": "array", "items": one]
    let usual = fallback.map { "\(help). Default: \($0)" } ?? help
    return shape.merging(["description": .string(usual)])
  }
}

extension Option.Kind {
  fileprivate var schema: JSON {
    switch self {
    case .flag: ["type": "boolean"]
    case .text, .path, .size: ["type": "string"]
    case .integer(let range):
      range.upperBound == .max
        ? ["type": "integer", "minimum": .integer(range.lowerBound)]
        : ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    case .number(let range):
      range.upperBound == .infinity
        ? ["type": "number", "minimum": .number(range.lowerBound)]
        : ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
    case .share: ["type": ["string", "number"], "examples": [0.02, "2%", "2pp"]]
    case .duration: ["type": "string", "examples": ["90m", "24h", "7d"]]
    case .instant: ["type": "string", "examples": ["2025-03-01T08:00:00Z", "7d"]]
    case .choice(let words): ["type": "string", "enum": .array(words.map(JSON.string))]
    }
  }
}

extension JSON {
  /// A value, or each of several, as it would be typed; null says nothing.
  fileprivate func texts(_ name: String) throws(Failure) -> [String] {
    switch self {
    case .null: return []
    case .bool(let flag): return [flag ? "true" : "false"]
    case .integer, .number: return [text()]
    case .string(let text): return [text]
    case .array(let elements):
      var texts: [String] = []
      for element in elements { texts += try element.texts(name) }
      return texts
    case .object: throw Failure("bad_value", "\(name) is an object, not a value", place: name, exit: .usage)
    }
  }
}
