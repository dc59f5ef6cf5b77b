internal import Answers
internal import Console
internal import Server

extension Command {
  /// What `serve` starts; of no use to people.
  static let answerQuestions = Command(
    "__answer", purpose: "Answer the questions of a service, over the socket that is standard input",
    options: [.database, .questionMemory],
    examples: [.init("As the service does", "uptake __answer --db uptake.db")], isHidden: true
  ) { invocation in
    QuestionWorker.run(
      0, database: try invocation.databasePath(), memory: invocation.integer(.questionMemory) ?? 2 << 30)
    return .done
  }
}

extension QuestionWorker {
  static func start(database path: String, memory bytes: Int) -> ProcessStart {
    .myself([Command.answerQuestions.name, "--db", path, "--question-memory", "\(bytes)"])
  }
}

extension ProcessStart {
  /// This program again, also where its file was replaced since.
  static func myself(_ arguments: [String]) -> ProcessStart {
    Self(program: "/proc/self/exe", arguments: arguments, name: "uptake")
  }
}
