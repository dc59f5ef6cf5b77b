internal import Console

/// What a part of an answer's JSON looks like: JSON Schema and the documentation are written from it.
indirect enum Shape: Sendable {
  case integer, number, text, flag
  /// RFC 3339 in UTC.
  case instant
  /// One of a closed vocabulary.
  case word([String])
  case list(Shape)
  /// An object whose keys are known only when the question runs.
  case map(Shape)
  case object([Member])
  case nullable(Shape)
  /// null for all, a name, or a list of names.
  case names
  /// An object that several answers share, by its name.
  case part(String, [Member])
}

/// A member of an object, without its value. Every member is in every answer, and what is unknown is null;
/// but an option that few ask with is repeated only where it was given.
struct Member: Sendable {
  var name: String
  var shape: Shape
  var help: String
  var isOptional = false

  init(_ name: String, _ shape: Shape, _ help: String) { (self.name, self.shape, self.help) = (name, shape, help) }
}

/// JSON Schema, draft 2020-12.
extension Shape {
  var schema: JSON {
    switch self {
    case .integer: ["type": "integer"]
    case .number: ["type": "number"]
    case .text: ["type": "string"]
    case .flag: ["type": "boolean"]
    case .instant: ["type": "string", "format": "date-time"]
    case .word(let words): ["enum": .array(words.map(JSON.string))]
    case .list(let element): ["type": "array", "items": element.schema]
    case .map(let value): ["type": "object", "additionalProperties": value.schema]
    case .object(let members): Self.schema(members)
    case .nullable(let shape): ["anyOf": [shape.schema, ["type": "null"]]]
    case .names: ["anyOf": [["type": "null"], ["type": "string"], ["type": "array", "items": ["type": "string"]]]]
    case .part(let name, _): ["$ref": .string("#/$defs/\(name)")]
    }
  }

  private static func schema(_ members: [Member]) -> JSON {
    [
      "type": "object", "additionalProperties": false,
      "required": .array(members.filter { !$0.isOptional }.map(\.name).sorted().map(JSON.string)),
      "properties": .object(Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.schema) })),
    ]
  }

  /// The parts that it speaks of, also through others, by name.
  var parts: [String: [Member]] {
    switch self {
    case .integer, .number, .text, .flag, .instant, .word, .names: [:]
    case .list(let shape), .map(let shape), .nullable(let shape): shape.parts
    case .object(let members): members.parts
    case .part(let name, let members): members.parts.merging([name: members]) { own, _ in own }
    }
  }
}

extension [Member] {
  fileprivate var parts: [String: [Member]] { reduce(into: [:]) { $0.merge($1.shape.parts) { own, _ in own } } }
}

extension Member {
  /// Of every question that narrows by it.
  static let only = Member("where", .list(.text), "What devices had to say of themselves to be looked at")

  static let withoutImpossible = onlyWhereGiven(
    "withoutImpossible", "Whether devices with impossible histories were left out; not there where they count")

  static let onlyAttested = onlyWhereGiven(
    "onlyAttested", "Whether only devices counted that their platform vouched for; not there where all count")

  static let mechanism = onlyWhereGiven(
    "mechanism", "The mechanisms that the answer is narrowed to; not there for all", .names)

  private static func onlyWhereGiven(_ name: String, _ help: String, _ shape: Shape = .flag) -> Member {
    var member = Member(name, shape, help)
    member.isOptional = true
    return member
  }

  fileprivate var schema: JSON {
    guard case .object(var fields) = shape.schema else { return shape.schema }
    fields["description"] = .string(help)
    return .object(fields)
  }
}
