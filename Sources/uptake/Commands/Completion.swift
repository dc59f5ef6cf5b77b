internal import Console

extension Command {
  static let completion = Command(
    "completion", group: "ABOUT", purpose: "Print completion for bash, zsh or fish",
    discussion: """
      The script asks the program itself for what fits, so it stays right after an update of the program.
      """,
    arguments: [.init("SHELL", choices: Shell.allCases.map(\.rawValue), help: "The shell")],
    examples: [
      .init("In bash, for this session", "source <(uptake completion bash)"),
      .init(
        "In bash, for good", "uptake completion bash > ~/.local/share/bash-completion/completions/uptake"),
      .init("In zsh, in a directory of $fpath", "uptake completion zsh > ~/.zfunc/_uptake"),
      .init("In fish", "uptake completion fish > ~/.config/fish/completions/uptake.fish"),
    ]
  ) { invocation in
    let shell = invocation.arguments.first.flatMap(Shell.init(rawValue:))
    if let shell, invocation.host.output.isTerminal { try invocation.note([shell.advice(for: invocation.program)]) }
    try invocation.print(shell.map { $0.script(for: invocation.program) } ?? "")
    return .done
  }
}
