internal import Console
internal import Query
internal import Store

/// What a question says of itself: how it is asked, what its answer holds, and what is shown of it. One conformance a question,
/// in `Questions`.
protocol Presentable: Sendable {
  /// An element of `data`.
  associatedtype Row: Encodable & Sendable = Self
  associatedtype Options: Sendable

  static var usage: Usage { get }
  /// What the answer repeats of what was asked.
  static var query: [Member] { get }
  static var fields: [Field<Row>] { get }
  /// The same, with headings that depend on what was asked or found.
  static func fields(_ reply: Reply<Self>) -> [Field<Row>]
  /// Whether groups smaller than `--min-cell` are named.
  static var namesWithheld: Bool { get }
  /// Whether the level of intervals stands below the table; not where a heading says it.
  static var saysLevel: Bool { get }

  static func ask(
    _ asked: Parameters, _ snapshot: borrowing Snapshot, hash: QuestionCommand.DeviceHashing
  ) throws -> Reply<Self>

  /// Whether the row says anything: else the answer is `notEnoughData`, and never a silent 0.
  static func isKnown(_ row: Row) -> Bool
  /// The names of the row's group, by what the answer is split by.
  static func names(_ row: Row) -> [String: String]
  /// The cells of a name, where lines of one row have several.
  static func cells(_ name: String, _ row: Row) -> Lines<Cell>

  static func gates(_ asked: Parameters) throws -> [Gate]
  static func verdicts(_ reply: Reply<Self>) -> [GateVerdict]
  static func heading(_ reply: Reply<Self>) -> [String]
  static func plots(_ reply: Reply<Self>) -> [Plot]
  /// What to know, below the table.
  static func notes(_ reply: Reply<Self>) -> [String]
  /// What to ask next; it is narrowed as the question was.
  static func next(_ reply: Reply<Self>) -> ShellCommand?
  /// How a command ends whose conditions hold.
  static func exit(_ reply: Reply<Self>) -> ExitCode
}

extension Presentable {
  static var schema: AnswerSchema {
    AnswerSchema(
      question: usage.name, query: query, row: fields.map(\.member), namesWithheld: namesWithheld)
  }
  static var namesWithheld: Bool { true }
  static var saysLevel: Bool { true }
  static func fields(_ reply: Reply<Self>) -> [Field<Row>] { fields }
  static func isKnown(_ row: Row) -> Bool { true }
  static func names(_ row: Row) -> [String: String] { [:] }
  static func cells(_ name: String, _ row: Row) -> Lines<Cell> { .one(.text(names(row)[name] ?? Group.unnamed)) }
  static func gates(_ asked: Parameters) throws -> [Gate] { [] }
  static func verdicts(_ reply: Reply<Self>) -> [GateVerdict] { [] }
  static func heading(_ reply: Reply<Self>) -> [String] { [] }
  static func plots(_ reply: Reply<Self>) -> [Plot] { [] }
  static func notes(_ reply: Reply<Self>) -> [String] { [] }
  static func next(_ reply: Reply<Self>) -> ShellCommand? { usage.next.map { ShellCommand("uptake", $0) } }
  static func exit(_ reply: Reply<Self>) -> ExitCode { reply.rows.contains(where: isKnown) ? .done : .notEnoughData }
}

extension Presentable where Row: Grouped {
  static func names(_ row: Row) -> [String: String] { row.names }
}

extension Presentable where Row: Gated {
  static func gates(_ asked: Parameters) throws -> [Gate] { try asked.gates(on: Row.self) }
  static func verdicts(_ reply: Reply<Self>) -> [GateVerdict] {
    reply.answer.verdicts(reply.gates, reply.words, withheld: reply.words)
  }
}
