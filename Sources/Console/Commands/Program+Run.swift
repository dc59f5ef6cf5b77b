extension Program {
  /// Runs the command that the host's arguments call, prints its errors, and says how it ended.
  ///
  /// `explain` turns errors of other modules into failures; what it does not know is printed as it describes itself.
  public func run(_ host: Host, explain: (any Error) -> Failure? = { _ in nil }) -> ExitCode {
    do {
      return try dispatch(host)
    } catch let failure as Failure {
      return report(failure, host)
    } catch {
      return report(explain(error) ?? Failure("unexpected", "\(error)"), host)
    }
  }

  private func dispatch(_ host: Host) throws -> ExitCode {
    if let first = host.arguments.first, first == "--version" || first == "-V" {
      try host.output.write("\(name) \(version)\n")
      return .done
    }
    let words = try CommandWords(host.arguments, of: self)
    guard let command = words.command, !words.asksForHelp else {
      try host.output.write(help(for: words.path))
      return .done
    }
    guard let run = command.run else {
      throw words.usage(
        "missing_subcommand",
        "\(words.path.joined(separator: " ")) needs one of \(alternatives(command.subcommands.map(\.name)))", self)
    }
    let invocation = try Invocation(words, command, self, host)
    return try invocation.flag(.verbose) ? invocation.telling(run) : run(invocation)
  }

  private func report(_ failure: Failure, _ host: Host) -> ExitCode {
    let text = wantsJSONErrors(host) ? failure.json.text() + "\n" : failure.words
    // Nothing is left to tell where standard error itself is closed; the exit code still says it.
    try? host.errors.write(text)
    return failure.exit
  }

  /// Read by hand, as the command line itself may be what is wrong.
  private func wantsJSONErrors(_ host: Host) -> Bool {
    let name = "--" + Option.errorFormat.name
    let words = host.arguments.prefix { $0 != "--" }
    if let index = words.lastIndex(where: { $0 == name || $0.hasPrefix(name + "=") }) {
      return words[index] == name + "=json" || words[index...].dropFirst().first == "json" && words[index] == name
    }
    return Option.errorFormat.environment.flatMap { host.environment[$0] } == "json"
  }
}
