public import Console
internal import Store

extension Question {
  /// The question as a command of the program.
  public func command(hash: @escaping DeviceHashing) -> Command {
    Command(
      name, group: "QUESTIONS", purpose: purpose, discussion: discussion, arguments: arguments,
      options: [.database] + options + [.now] + Option.answer, examples: examples, exits: exits, seeAlso: seeAlso
    ) { invocation in
      let shown = try answer(invocation.parameters, invocation.snapshot(), hash: hash)
      try invocation.show(shown.presentation)
      return shown.exit
    }
  }
}
