internal import Console

extension Command {
  static let version = Command(
    "version", group: "ABOUT", purpose: "Print the version",
    examples: [.init("Print name and version", "uptake version")]
  ) { invocation in
    try invocation.print("\(invocation.program.name) \(invocation.program.version)\n")
    return .done
  }
}
