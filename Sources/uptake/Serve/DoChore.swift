internal import Console
internal import Server

extension Command {
  /// What `serve` starts for pages, verdicts, news and summaries; of no use to people.
  static let doChore = Command(
    "__chore", purpose: "Do one piece of a service's work, told over the socket that is standard input",
    options: [.questionMemory], examples: [.init("As the service does", "uptake __chore")], isHidden: true
  ) { invocation in
    ChoreWorker.run(0, memory: invocation.choreMemory, clock: invocation.host.clock)
    return .done
  }
}

extension Invocation {
  fileprivate var choreMemory: Int { integer(.questionMemory) ?? 2 << 30 }

  /// How a process of a chore begins.
  var choreStart: ProcessStart { .myself([Command.doChore.name, "--question-memory", "\(choreMemory)"]) }
}
