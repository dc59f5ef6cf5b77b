internal import Console

extension Command {
  static let configCheck = Command(
    "check", purpose: "Check the configuration files and report everything that is wrong",
    discussion: """
      Also what uptake serve would refuse of its settings here, secrets and certificates that they name included. No port is \
      opened, and no database.
      """,
    examples: [
      .init("Check the files that a service would read here", "uptake config check"),
      .init("Check one file", "uptake config check --config new.toml"),
    ],
    seeAlso: ["config show"]
  ) { invocation in
    let configuration = invocation.settings.configuration
    var problems = configuration.problems(invocation.program, now: invocation.now)
    let service = problems.isEmpty ? try invocation.calling(["serve"]) : nil
    let refused = service?.refusedSettings() ?? []
    // A service may have other variables than who checks its file.
    let elsewhere = refused.filter { $0.code == "no_secret" }.map { $0.message + " here" }
    problems += refused.filter { $0.code != "no_secret" }
    guard let last = problems.last else {
      try invocation.print(report(configuration, invocation))
      try invocation.note((service?.settingWarnings ?? []) + (service?.startConditions ?? []) + elsewhere)
      return .done
    }
    for problem in problems.dropLast() { try invocation.host.errors.write(problem.words) }
    throw last
  }
}

private func report(_ configuration: Configuration, _ invocation: Invocation) -> String {
  let files = configuration.files.map { "ok  \($0.path)  \($0.entries.count) keys\n" }
  let places = Configuration.places(invocation.program, invocation.host.environment)
  return files.isEmpty ? "ok  no configuration file; looked for \(places.joined(separator: ", "))\n" : files.joined()
}
