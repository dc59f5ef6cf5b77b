internal import Console

extension Program.Topic {
  static let exitCodes = Program.Topic("exit-codes", purpose: "what a run's exit code says to a script") { _ in
    """
    \(ExitCode.allCases.map { "  \(padded(String($0.rawValue), to: 3, .right))  \($0.meaning)" }.joined(separator: "\n"))

    A gate such as --require ends with 3 when the answer is known and does not suffice, and with 4 when there is not \
    enough data to say: a pipeline should wait on 4 and stop on 3.

    uptake serve ends with 1 where the database is locked or cannot be written for now, so that a service manager starts it \
    again; with 5 where only a person can help.

    When the reader of a pipe goes away (uptake … | head) the run ends without a word, as other programs do.
    """
  }
}
