public import Console

extension QuestionCommand {
  /// What a request may say: the arguments, and the options that choose and count. Nothing that names a file or judges.
  public var askable: [Option] { options.filter { ["FILTERS", "STATISTICS"].contains($0.group) } + [.now] }

  /// Every name that a request may give.
  public var parameterNames: [String] { arguments.map(\.parameterName) + askable.map(\.name) }

  /// Reads what a request sent by name. What it may not say has its default.
  ///
  /// - Parameter arguments: in the order of `arguments`.
  public func parameters(
    arguments: [String], sent: [(option: Option, text: String)], now: Instant
  ) throws(Failure) -> Parameters {
    for option in askable where option.takesValue && option.arity == .once {
      guard sent.count(where: { $0.option.name == option.name }) < 2 else {
        throw Failure(
          "repeated_option", "--\(option.name) is given twice", hints: ["see: uptake help \(name)"], exit: .usage)
      }
    }
    return try Parameters(options + [.now], arguments: arguments, sent: sent, clock: .now, now: now)
  }
}

extension Command.Argument {
  /// `RELEASE` as requests name it.
  public var parameterName: String { name.lowercased() }
}
