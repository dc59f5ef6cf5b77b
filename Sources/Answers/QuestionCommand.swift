public import Console
public import Lifecycle
internal import Query
public import Store

/// A question as people ask it of a database: what it takes, how its answer looks as JSON, and what is shown.
///
/// Command line, help, completion, `GET /v1/answers/…`, OpenAPI and the schemas read the one table `questions`.
public struct QuestionCommand: Sendable {
  /// How a device's id becomes what is stored of it. Ids are hashed where they arrive; who asks knows how.
  public typealias DeviceHashing = @Sendable (IdentityKeys, _ app: String, _ id: String) -> DeviceHash

  let usage: Usage
  private let schemaOf: @Sendable () -> AnswerSchema
  private let answering: @Sendable (Parameters, borrowing Snapshot, DeviceHashing) throws -> Shown

  init<Question: Presentable>(_ question: Question.Type) {
    usage = question.usage
    schemaOf = { question.schema }
    answering = { asked, snapshot, hash in try question.ask(asked, snapshot, hash: hash).shown }
  }

  public var name: String { usage.name }
  public var arguments: [Command.Argument] { usage.arguments }
  /// Its own, beside those of all questions.
  public var options: [Option] { usage.options }
  public var schema: AnswerSchema { schemaOf() }

  /// What is shown for these parameters. Neither text nor JSON is made before it is asked for.
  public func answer(_ asked: Parameters, _ snapshot: borrowing Snapshot, hash: DeviceHashing) throws -> Shown {
    try answering(asked, snapshot, hash)
  }
}

/// What a question answers, and how a command that asked it ends.
public struct Shown: Sendable {
  public var presentation: Presentation
  public var exit: ExitCode
}

extension QuestionCommand {
  /// Asked by gates, too.
  public static let verdict = QuestionCommand(Verdict.self)
  /// Has a command of its own behind it.
  public static let push = QuestionCommand(Push.self)
}

/// Every question, in the order of help.
public let questions: [QuestionCommand] = presentables.map { QuestionCommand($0) }

/// The same by what they are about. To add one, write its file in `Questions`, and add it here.
let presentables: [any Presentable.Type] = [
  Verdict.self, Releases.self, Adoption.self, Reach.self, TimeToUpdate.self, Compare.self, Mechanisms.self,
  Failures.self, Suspects.self,
  Forecast.self, Funnel.self, Push.self, WakeUps.self, Channels.self, Breadcrumbs.self,
  Devices.self, Diagnosis.self,
]
