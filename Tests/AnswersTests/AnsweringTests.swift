import Console
import Lifecycle
import Store
import Synchronization
import Testing

@testable import Answers

/// A command line and a request ask the same function with the same parameters.
struct AnsweringTests {
  private final class Printed: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
    var sink: Sink {
      Sink(isTerminal: false, columns: 80) { (more) throws(Failure) in self.bytes.withLock { $0 += more } }
    }
  }
  private static let now = "2025-03-05T00:00:00Z"

  private func typed(_ words: [String], _ database: Database) -> (exit: ExitCode, output: String, errors: String) {
    let (output, errors) = (Printed(), Printed())
    let program = Program(
      name: "uptake", version: "1", date: "", purpose: "",
      commands: questions.map { $0.command { $0.device(of: $1, $2) } }, clock: .now)
    let host = Host(
      arguments: words + ["--db", database.path, "--now", Self.now, "--format", "json"], environment: [:],
      output: output.sink, errors: errors.sink, readFile: { _ in nil })
    let exit = program.run(host, explain: { Failure(explaining: $0) })
    return (exit, output.text, errors.text)
  }

  private func requested(
    _ name: String, _ arguments: [String], _ sent: [(Option, String)], _ database: Database
  ) throws -> Shown {
    let question = try #require(questions.first { $0.name == name })
    let asked = try question.parameters(
      arguments: arguments, sent: sent.map { (option: $0.0, text: $0.1) } + [(.now, Self.now)],
      now: Instant(rawValue: 0))
    return try question.answer(asked, try Snapshot(path: database.path)) { $0.device(of: $1, $2) }
  }

  @Test(arguments: questions.map(\.name)) func aRequestIsAnsweredAsACommandLine(_ name: String) throws {
    let database = try Database()
    let question = try #require(questions.first { $0.name == name })
    let arguments = Array(["2.0", "1.0"].prefix(question.arguments.count))
    let option = try #require(question.askable.first { $0.name == "app" })
    let line = typed([name] + arguments + ["--app", "a"], database)
    let shown = try requested(name, arguments, [(option, "a")], database)
    #expect(try shown.presentation.document().text(.compact) + "\n" == line.output)
    #expect(shown.exit == line.exit, "\(line.errors)")
  }

  /// The words of a refusal are made from its facts, once.
  @Test func refusalsAreValues() throws {
    let database = try Database()
    #expect(throws: (any Error).self) { try requested("reach", ["2.1"], [], database) }
    do { _ = try requested("reach", ["2.1"], [], database) } catch {
      let failure = try #require(Failure(explaining: error))
      #expect(failure.code == "unknown_release" && failure.exit == .usage)
      #expect(
        typed(["reach", "2.1"], database).errors.hasPrefix("error: \(failure.message)\n  hint: \(failure.hints[0])"))
    }
  }

  @Test func gatesEndACommandAndNoRequest() throws {
    let database = try Database()
    let line = typed(["reach", "2.0", "--require", "reach<0"], database)
    #expect(line.exit == .gateNotMet && line.errors.contains("gate NOT met (reach<0): reach is "))
    #expect(try requested("reach", ["2.0"], [], database).exit == .done)
  }

  /// 0.57 is a little less than 57 hundredths, for a computer.
  @Test(arguments: [("0.57", "57%"), ("0.95", "95%"), ("0.995", "99.5%")])
  func repeatsTheLevelAsItWasAsked(_ asked: String, _ said: String) throws {
    let notes = try requested("reach", ["2.0"], [(.confidence, asked)], try Database()).presentation.notes()
    #expect(notes.last?.hasSuffix("; \(said) intervals") == true, "\(notes)")
  }

  @Test func emptyDatabasesHaveNoAnswer() throws {
    let line = typed(["push"], try Database(""))
    #expect(line.exit == .notEnoughData && line.output.isEmpty)
  }
}
