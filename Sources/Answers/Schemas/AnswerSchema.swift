public import Console
internal import Lifecycle
internal import Query

/// The form of one question's answer.
public struct AnswerSchema: Sendable {
  var question: String
  /// What the answer repeats of what was asked.
  var query: [Member]
  /// An element of `data`.
  var row: [Member]
  /// Whether groups smaller than `--min-cell` are named.
  var namesWithheld: Bool

  /// The envelope.
  var members: [Member] {
    [
      Member("schema", .word(["uptake.\(question)/1"]), "The form; its number rises when a field goes or changes"),
      Member("generatedAt", .instant, "What was taken as now: --now, or the clock"),
      Member("dataThrough", .nullable(.instant), "The newest contact that was looked at; null where there is none"),
      Member("query", .object(query), "What was asked, with every default"),
      Member("warnings", [Warning].shape, "What a reader of the numbers must know"),
      Member("data", .list(.object(row)), "The rows; none is an empty list"),
    ]
  }

  /// The document of `uptake schema`.
  public var document: JSON {
    let shape = Shape.object(members)
    guard case .object(var fields) = shape.schema else { return .null }
    fields["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    fields["title"] = .string("uptake.\(question)/1")
    fields["$defs"] = .object(shape.parts.mapValues { Shape.object($0).schema })
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

extension [Member] {
  /// A group that is too small to be shown.
  static let withheld = [
    Member("group", Labels.shape, groupHelp),
    Member("release", .nullable(.text), "The release, where rows are about several"),
    Member("devices", .nullable(.integer), "null"), Member("events", .nullable(.integer), "null"),
    Member("reason", .word(["fewerThanMinCell"]), "Why there is nothing"),
  ]

  private static let ground = [
    Member("app", .text, "The application"),
    Member("cutOff", .instant, "The cutoff: now less the reporting lag"),
    Member("reportingLagSeconds", .integer, "How long events usually need to arrive"),
    Member("level", .number, "The confidence of intervals"), Member("now", .instant, "What was taken as now"),
    Member("by", .list(.text), "What the answer is split by"),
    Member("channel", .names, "The channels looked at; null for all"),
    Member("platform", .names, "The platforms looked at; null for all"),
    .only, .withoutImpossible, .onlyAttested,
  ]

  /// What a question about a release repeats.
  static func selection(_ extra: Member...) -> [Member] {
    ground + [
      Member("release", .text, "The release"), Member("estimand", .text, "What counts as updated"),
      Member("clock", .text, "Where time starts"), Member("censor", .text, "When a silent device stops counting"),
      Member("attribution", .text, "Which trigger is credited"),
      Member("reachWindowSeconds", .integer, "How long after its last contact a device counts as reachable"),
    ] + extra
  }

  /// What a question about a time repeats.
  static func extent(_ extra: Member...) -> [Member] {
    ground + [
      Member("release", .nullable(.text), "The release, where only one was looked at"),
      Member("since", .nullable(.instant), "Nothing before it counts"),
      Member("until", .nullable(.instant), "Nothing from it on counts"),
    ] + extra
  }
}

extension Member {
  /// Of questions that can look at the newest hours as well.
  static let provisional = Member(
    "provisional", .flag, "Whether it was counted until now, with some events of the newest hours still to come")
  /// Of questions that draw curves.
  static let bands = Member(
    "bands", .text, "What limits of curves hold for: pointwise, each age by itself; simultaneous, all ages together")
}
