internal import Console
public import Store

extension Remedy {
  /// As a line for people, every name and command fit to be pasted into a shell.
  public var words: String {
    parts.map { part in
      switch part {
      case .words(let words): words
      case .name(let name): shellWord(name)
      case .command(let command): "\(ShellCommand(remedy: command))"
      }
    }.joined()
  }
}

extension ShellCommand {
  fileprivate init(remedy command: Remedy.Command) {
    let called = command.arguments.reduce(ShellCommand(["uptake"] + command.words)) { $0.argument($1) }
    self = command.options.reduce(called) { $0.option($1.name, $1.value) }
  }
}
