public import Console

/// The form of one question's answer.
public struct AnswerSchema: Sendable {
  var question: String
  /// What the answer repeats of what was asked.
  var query: [Field]
  /// An element of `data`.
  var row: [Field]
  /// Whether groups smaller than `--min-cell` are named.
  var namesWithheld = false

  /// The envelope.
  var fields: [Field] {
    [
      Field("schema", .word(["uptake.\(question)/1"]), "The form; its number rises when a field goes or changes"),
      Field("generatedAt", .instant, "The instant of the analysis: --now, or the present"),
      Field("dataThrough", .nullable(.instant), "The newest contact that was looked at; null where there is none"),
      Field("query", .object(query), "What was asked, with every default"),
      Field("warnings", .list(.warning), "What a reader of the numbers must know"),
      Field("data", .list(.object(row)), "The rows; none is an empty list"),
    ]
  }

  /// The document of `uptake schema`.
  public var document: JSON {
    guard case .object(var fields) = Shape.object(fields).schema else { return .null }
    let parts = Shape.object(self.fields).parts.sorted { $0.rawValue < $1.rawValue }
    fields["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    fields["title"] = .string("uptake.\(question)/1")
    fields["$defs"] = .object(Dictionary(uniqueKeysWithValues: parts.map { ($0.rawValue, $0.shape.schema) }))
    if namesWithheld, case .object(var properties)? = fields["properties"] {
      properties["data"] = [
        "type": "array", "description": "The rows, then groups smaller than --min-cell by name only",
        "items": ["anyOf": [Shape.object(row).schema, Shape.object(.withheld).schema]],
      ]
      fields["properties"] = .object(properties)
    }
    return .object(fields)
  }
}

extension [Field] {
  /// A group that is too small to be shown.
  static let withheld =
    group + [
      Field("release", .nullable(.text), "The release, where rows are about several"),
      Field("devices", .nullable(.integer), "null"), Field("events", .nullable(.integer), "null"),
      Field("reason", .word(["fewerThanMinCell"]), "Why there is nothing"),
    ]

  private static let ground = [
    Field("app", .text, "The application"),
    Field("cutOff", .instant, "Where the data end: now less the reporting lag"),
    Field("reportingLagSeconds", .integer, "How long events usually need to arrive"),
    Field("level", .number, "The confidence of intervals"), Field("now", .instant, "The present"),
    Field("by", .list(.text), "What the answer is split by"),
    Field("channel", .names, "The channels looked at; null for all"),
    Field("platform", .names, "The platforms looked at; null for all"),
  ]

  /// What a question about a release repeats.
  static func selection(_ extra: Field...) -> [Field] {
    ground + [
      Field("release", .text, "The release"), Field("estimand", .text, "What counts as updated"),
      Field("clock", .text, "Where time starts"), Field("censor", .text, "When a silent device stops counting"),
      Field("attribution", .text, "Which trigger is credited"),
      Field("reachWindowSeconds", .integer, "How long after its last contact a device counts as reachable"),
    ] + extra
  }

  /// What a question about a time repeats.
  static func extent(_ extra: Field...) -> [Field] {
    ground + [
      Field("release", .nullable(.text), "The release, where only one was looked at"),
      Field("since", .nullable(.instant), "Nothing before it counts"),
      Field("until", .nullable(.instant), "Nothing from it on counts"),
    ] + extra
  }
}
