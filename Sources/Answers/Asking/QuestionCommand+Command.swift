public import Console
internal import Store

extension QuestionCommand {
  /// The question as a command of the program.
  ///
  /// - Parameter watched: does the work, and may say how far it has come.
  public func command(
    hash: @escaping DeviceHashing,
    watched: @escaping @Sendable (Invocation, () throws -> Shown) throws -> Shown = { _, work in try work() }
  ) -> Command {
    Command(
      name, group: "QUESTIONS", purpose: usage.purpose, discussion: usage.discussion, arguments: arguments,
      options: [.database, .quota] + options + [.now] + Option.answer, examples: usage.examples, exits: usage.exits,
      seeAlso: usage.seeAlso
    ) { invocation in
      try invocation.requireObjective()
      let shown = try watched(invocation) { try answer(invocation.parameters, invocation.snapshot(), hash: hash) }
      if shown.exit == .notEnoughData { try invocation.explainEmpty(shown.presentation) }
      try invocation.show(shown.presentation)
      return shown.exit
    }
  }
}
