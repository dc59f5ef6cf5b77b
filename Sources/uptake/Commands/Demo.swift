internal import Console

private extension Option {
  static let devices = Option("devices", .integer(1...200_000), fallback: "3000", help: "Phones at the beginning")
  static let lasting = Option(
    "for", .duration, help: "End by itself after this time; with Ctrl-C where it is not given")
}

extension Command {
  static let demo = Command(
    "demo", group: "SERVICE", purpose: "Serve a simulated fleet, to look around",
    discussion: """
      Simulates 30 days of a fleet that end now, stores its events, and serves pages and answers on a free port of this \
      machine. Everything lies in a folder that goes when the demo ends; no settings are read, and nothing is sent anywhere.
      """,
    options: [.devices, .lasting],
    examples: [
      .init("Until Ctrl-C", "uptake demo"),
      .init("For a minute, with a larger fleet", "uptake demo --devices 20000 --for 1m"),
    ],
    seeAlso: ["simulate", "serve", "watch"]
  ) { invocation in
    let demo = try Demonstration(
      invocation, devices: try invocation.integer(needed: .devices), lasting: invocation.duration(.lasting))
    return try demo.run()
  }
}
