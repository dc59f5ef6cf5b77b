internal import Console

extension Command {
  static let configExample = Command(
    "example", purpose: "Print a configuration file with every setting commented out",
    discussion: """
      Each key stands with what it does and its default; take the # away and change the value. The Debian package has it as \
      /etc/uptake/config.toml.
      """,
    examples: [
      .init("Begin a file for this folder", "uptake config example > uptake.toml"),
      .init("See what a newer version knows", "uptake config example | diff /etc/uptake/config.toml -"),
    ],
    seeAlso: ["config show", "config check"]
  ) { invocation in
    try invocation.print(invocation.program.exampleConfiguration)
    return .done
  }
}
