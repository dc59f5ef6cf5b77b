public import Console
internal import Store

extension QuestionCommand {
  /// The question as a command of the program.
  public func command(hash: @escaping DeviceHashing) -> Command {
    Command(
      name, group: "QUESTIONS", purpose: usage.purpose, discussion: usage.discussion, arguments: arguments,
      options: [.database] + options + [.now] + Option.answer, examples: usage.examples, exits: usage.exits,
      seeAlso: usage.seeAlso
    ) { invocation in
      let shown = try answer(invocation.parameters, invocation.snapshot(), hash: hash)
      try invocation.show(shown.presentation)
      return shown.exit
    }
  }
}
