internal import Console
internal import Glibc

extension Command {
  static let complete = Command(
    "__complete", purpose: "Print what can stand in place of the last of these words, for completion scripts",
    arguments: [.init("WORD", .many, help: "The words behind uptake, the last one unfinished")],
    examples: [.init("What begins with com", "uptake __complete -- com")], isHidden: true
  ) { invocation in
    giveUp(afterMilliseconds: 200)
    try invocation.print(invocation.program.completions(for: invocation.arguments, invocation.host))
    return .done
  }
}

/// A slow database must not hold up a prompt: the process then ends and nothing is offered.
private func giveUp(afterMilliseconds limit: Int) {
  signal(SIGALRM) { _ in _exit(0) }
  var timer = itimerval()
  timer.it_value.tv_usec = limit * 1000
  setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
}
