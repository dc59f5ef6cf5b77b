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
  case object([Field])
  case nullable(Shape)
  /// null for all, a name, or a list of names.
  case names
  /// A part that several answers share.
  case part(Part)

  static func nullable(_ part: Part) -> Shape { .nullable(.part(part)) }
  static func list(_ part: Part) -> Shape { .list(.part(part)) }
}

/// A member of an object. Every member is in every answer; what is unknown is null.
struct Field: Sendable {
  var name: String
  var shape: Shape
  var help: String

  init(_ name: String, _ shape: Shape, _ help: String) { (self.name, self.shape, self.help) = (name, shape, help) }
  init(_ name: String, _ part: Part, _ help: String) { self.init(name, .part(part), help) }
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
    case .object(let fields): Self.schema(fields)
    case .nullable(let shape): ["anyOf": [shape.schema, ["type": "null"]]]
    case .names: ["anyOf": [["type": "null"], ["type": "string"], ["type": "array", "items": ["type": "string"]]]]
    case .part(let part): ["$ref": .string("#/$defs/\(part.rawValue)")]
    }
  }

  private static func schema(_ fields: [Field]) -> JSON {
    [
      "type": "object", "additionalProperties": false,
      "required": .array(fields.map(\.name).sorted().map(JSON.string)),
      "properties": .object(Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.schema) })),
    ]
  }

  /// The parts that it speaks of, also through others.
  var parts: Set<Part> {
    switch self {
    case .integer, .number, .text, .flag, .instant, .word, .names: []
    case .list(let shape), .map(let shape), .nullable(let shape): shape.parts
    case .object(let fields): fields.reduce(into: []) { $0.formUnion($1.shape.parts) }
    case .part(let part): part.shape.parts.union([part])
    }
  }
}

extension Field {
  fileprivate var schema: JSON {
    guard case .object(var fields) = shape.schema else { return shape.schema }
    fields["description"] = .string(help)
    return .object(fields)
  }
}
