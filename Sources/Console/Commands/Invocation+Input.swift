extension Invocation {
  /// Asks on a terminal whether to go on, and ends the run where the answer is anything but yes. A script is never asked.
  ///
  /// - Parameters:
  ///   - refusal: what the run says where it ends here.
  ///   - unasked: the option that answers beforehand.
  public func confirm(_ question: String, else refusal: String, unasked: String) throws(Failure) {
    guard host.isInputTerminal, host.errors.isTerminal else { return }
    guard !flag(.noInput) else {
      throw Failure(
        "needs_answer", "\(question) --no-input forbids to ask", hints: ["say it with \(unasked)"], exit: .usage)
    }
    try host.errors.write("\(harmless(question)) [y/N] ")
    let answer = host.readLine?()?.lowercased() ?? ""
    guard ["y", "yes"].contains(answer) else { throw Failure("not_confirmed", refusal) }
  }
}
