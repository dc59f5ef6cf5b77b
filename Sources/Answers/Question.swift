public import Console
public import Lifecycle
public import Store

/// A question that a database answers: what it takes, how its answer looks as JSON, and what is shown.
///
/// Command line, help, completion, `GET /v1/answers/…`, OpenAPI and the schemas read the one table `questions`.
public struct Question: Sendable {
  typealias Answering = @Sendable (Parameters, borrowing Snapshot) throws -> Shown
  /// How a device's id becomes what is stored of it. Ids are hashed where they arrive; who asks knows how.
  public typealias DeviceHashing = @Sendable (IdentityKeys, _ app: String, _ id: String) -> DeviceHash

  public let name: String
  public let schema: AnswerSchema
  let purpose: String
  let discussion: String
  public let arguments: [Command.Argument]
  /// Its own, beside those of all questions.
  public let options: [Option]
  let examples: [Command.Example]
  let exits: [ExitCode]
  let seeAlso: [String]
  private let answering: @Sendable (Parameters, borrowing Snapshot, DeviceHashing) throws -> Shown

  init(
    _ name: String, schema: AnswerSchema, purpose: String, discussion: String, arguments: [Command.Argument] = [],
    options: [Option], examples: [Command.Example], exits: [ExitCode], seeAlso: [String],
    answer: @escaping Answering
  ) {
    self.init(
      name, schema: schema, purpose: purpose, discussion: discussion, arguments: arguments, options: options,
      examples: examples, exits: exits, seeAlso: seeAlso,
      ofDevice: { asked, snapshot, _ in try answer(asked, snapshot) })
  }

  /// One that is about a device.
  init(
    _ name: String, schema: AnswerSchema, purpose: String, discussion: String, arguments: [Command.Argument],
    options: [Option], examples: [Command.Example], exits: [ExitCode], seeAlso: [String],
    ofDevice answer: @escaping @Sendable (Parameters, borrowing Snapshot, DeviceHashing) throws -> Shown
  ) {
    (self.name, self.schema, self.purpose, self.discussion) = (name, schema, purpose, discussion)
    (self.arguments, self.options, self.examples) = (arguments, options, examples)
    (self.exits, self.seeAlso, answering) = (exits, seeAlso, answer)
  }

  /// What is shown for these parameters. Neither text nor JSON is made before it is asked for.
  public func answer(_ asked: Parameters, _ snapshot: borrowing Snapshot, hash: DeviceHashing) throws -> Shown {
    try answering(asked, snapshot, hash)
  }
}

/// What a question answers, and how a command that asked it ends.
public struct Shown: Sendable {
  public var presentation: Presentation
  public var exit: ExitCode

  /// - Parameter isKnown: whether there is anything to answer with: else it is `notEnoughData`, and never a silent 0.
  init(_ presentation: Presentation, _ verdicts: [GateVerdict] = [], isKnown: Bool) {
    self.presentation = presentation
    exit = verdicts.exit(otherwise: isKnown ? .done : .notEnoughData)
  }
}

/// Every question, in the order of help. To add one, write its file in `Questions` and its schema, and add it here.
public let questions: [Question] = [
  .releases, .adoption, .reach, .timeToUpdate, .compare, .mechanisms, .failures, .forecast, .funnel, .push, .wakeUps,
  .channels, .breadcrumbs,
]
