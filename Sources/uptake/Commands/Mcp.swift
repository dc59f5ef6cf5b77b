internal import Answers
internal import Console
internal import Query
internal import Store

extension Command {
  static let mcp = Command(
    "mcp", group: "SERVICE", purpose: "Answer an assistant over the Model Context Protocol",
    discussion: """
      Reads requests from standard input and answers on standard output, a line of JSON each, until the input ends. Every \
      question is a tool, with a schema of what it takes and answers; releases and help are resources. Nothing is ever written. \
      With --app only that app can be asked of.
      """,
    options: [.database, .app] + Option.objective,
    examples: [
      .init("As a client of the protocol starts it", "uptake mcp --db uptake.db"),
      .init("For one app", "uptake mcp --db uptake.db --app com.example.demo"),
    ],
    exits: [.databaseUnusable], seeAlso: ["verdict", "serve", "help definitions"]
  ) { invocation in
    let server = try invocation.mcpServer()
    // The lines of before are the protocol's: whatever else is said goes to standard error.
    while let line = invocation.host.readLine?() {
      guard let answer = server.answer(line: line) else { continue }
      try invocation.host.output.write(answer + "\n")
    }
    return .done
  }
}

extension Invocation {
  fileprivate func mcpServer() throws -> McpServer {
    let path = try databasePath()
    // Whoever names the wrong file or app is told at the start.
    let snapshot = try Snapshot(path: path)
    if let app = text(.app) { _ = try snapshot.vocabulary.chosenApp(app) }
    _ = try parameters.judging()
    let usual = Option.objective.compactMap { option in
      settings.setting(option)?.texts.last.map { (option: option, text: $0) }
    }
    return McpServer(
      program: program, path: path, app: text(.app), usual: usual + [Option.newestForAssistants], clock: host.clock)
  }
}
