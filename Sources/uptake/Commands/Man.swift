internal import Console

extension Command {
  static let man = Command(
    "man", purpose: "Print the manual page in mdoc",
    examples: [.init("Read the manual page", "uptake man | man -l -")], isHidden: true
  ) { invocation in
    try invocation.print(invocation.program.manualPage)
    return .done
  }
}
