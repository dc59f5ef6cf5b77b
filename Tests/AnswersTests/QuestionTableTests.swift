import Console
import Query
import Lifecycle
import Testing

@testable import Answers

/// What holds for every question, whoever adds one.
struct QuestionTableTests {
  @Test(arguments: questions.map(\.name)) func isWhole(_ name: String) throws {
    let question = try #require(questions.first { $0.name == name })
    #expect(question.schema.question == name && questions.count { $0.name == name } == 1)
    let options = question.command { $0.device(of: $1, $2) }.options.map(\.name)
    #expect(Set(options).count == options.count, "an option is listed twice")
    #expect(options.first == "db" && options.suffix(6).first == "now", "\(options)")
    #expect(question.usage.exits.contains(.notEnoughData) && !question.usage.examples.isEmpty)
  }

  /// Who may only ask chooses and counts: no file is named and nothing is judged.
  @Test(arguments: questions.map(\.name)) func whatARequestMaySayTouchesNothing(_ name: String) throws {
    let question = try #require(questions.first { $0.name == name })
    for option in question.askable { #expect(option.kind != .path, "\(option.name)") }
    let forbidden = ["db", "output", "format", "config", "require", "max-drop", "fields", "device-field"]
    #expect(Set(question.parameterNames).isDisjoint(with: forbidden))
    #expect(question.parameterNames.contains("now") && question.parameterNames.contains("app"))
  }

  @Test(arguments: questions.map(\.name)) func gatesAreListedWhereTheyEndACommand(_ name: String) throws {
    let question = try #require(questions.first { $0.name == name })
    let judges = question.usage.decides || question.options.contains { $0.group == "GATES" }
    #expect(judges == question.usage.exits.contains(.gateNotMet))
  }

  /// Every default can be read, and what was not sent has it.
  @Test(arguments: questions.map(\.name)) func defaultsAreValues(_ name: String) throws {
    let question = try #require(questions.first { $0.name == name })
    let asked = try question.parameters(arguments: ["x", "y"], sent: [], now: Instant(rawValue: 5))
    #expect(asked.now.rawValue == 5 && asked.arguments == ["x", "y"])
    for option in question.options { #expect(asked.values(of: option).isEmpty == (option.fallback == nil)) }
  }

  @Test func anOptionThatCountsOnceMayBeSentOnce() throws {
    let push = try #require(questions.first { $0.name == "push" })
    let twice = #expect(throws: Failure.self) {
      try push.parameters(
        arguments: [], sent: [(.confidence, "0.9"), (.confidence, "0.8")], now: Instant(rawValue: 0))
    }
    #expect(twice?.message == "--ci is given twice" && twice?.hints == ["see: uptake help push"])
    let lists = try push.parameters(
      arguments: [], sent: [(.channel, "a,b"), (.channel, "c")], now: Instant(rawValue: 0))
    #expect(lists.texts(.channel) == ["a", "b", "c"])
  }
}
