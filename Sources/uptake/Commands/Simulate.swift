internal import Answers
internal import Console
internal import Lifecycle
internal import Simulate

private extension Option {
  static let scenario = Option(
    "scenario", .text, value: "FILE|NAME", fallback: "demo", completion: "scenarios",
    help: "What happens: a file, or one of " + BuiltInScenario.all.map(\.name).joined(separator: ", "))
  static let seed = Option("seed", .integer(0...Int.max), fallback: "1", help: "The same seed gives the same bytes")
  static let devices = Option("devices", .integer(1...20_000_000), help: "Devices at the beginning")
  static let days = Option("days", .integer(1...366), help: "Days of simulated time")
  static let releases = Option("releases", .integer(0...60), help: "The first releases of the scenario, or more")
  static let end = Option("until", .instant, help: "The end of the simulated time")
  static let out = Option(
    "out", .path, completion: "files",
    help: "Write the events here, as NDJSON; - is standard output, and the default without --to but on a terminal")
  static let truth = Option("truth", .path, completion: "files", help: "Write what really happened here, as JSON")
  static let publications = Option(
    "publications", .path, completion: "files", help: "Write the publications here, as JSON to register")
  static let to = Option("to", .text, value: "URL", help: "Send the events to a service, such as http://127.0.0.1:8787")
  static let key = Option(
    "key", .text, environment: "UPTAKE_KEY", isSecret: true, help: "The ingest key to send with")
  static let connections = Option(
    "connections", .integer(1...1000), fallback: "64", help: "How many clients send at the same time")
  static let print = Option("print-scenario", help: "Print the built-in scenario's file, to begin an own one")
}

extension Command {
  static let simulate = Command(
    "simulate", group: "DATA", purpose: "Simulate a fleet; write events and ground truth",
    discussion: """
      Devices open the app by day and week, wake up for silent pushes and background refreshes as their systems permit, \
      download, fail, apply at the next launch, go off line and resend. The truth says what a perfect observer saw, so \
      that answers can be held against it.
      """,
    options: [
      .scenario, .seed, .devices, .days, .releases, .end, .out, .to, .key, .connections, .truth, .publications, .print,
    ],
    examples: [
      .init("A fleet, what it sent, and what is true", "uptake simulate --out events.ndjson --truth truth.json"),
      .init(
        "A bad release, straight into a database",
        "uptake simulate --scenario bad-release --until 1m | uptake import -"),
      .init("Begin an own scenario", "uptake simulate --scenario quiet-week --print-scenario > mine.scenario"),
    ],
    seeAlso: ["import", "serve"]
  ) { invocation in
    let text = try invocation.scenarioText()
    guard !invocation.flag(.print) else {
      try invocation.host.output.write(text.text + "\n")
      return .done
    }
    try invocation.simulate(try invocation.adjusted(Scenario(parsing: text.text, file: text.name)))
    return .done
  }
}

extension Invocation {
  /// The scenario's file: a built-in one by name, else from the disk.
  fileprivate func scenarioText() throws -> (name: String, text: String) {
    let name = try text(needed: .scenario)
    if let builtIn = BuiltInScenario.all.first(where: { $0.name == name }) { return (name, builtIn.text) }
    if let bytes = try host.readFile(name) { return (name, String(decoding: bytes, as: UTF8.self)) }
    throw Failure(
      "unknown_scenario", "there is no scenario and no file \(quoted(name))",
      suggestions: suggestions(for: name, among: BuiltInScenario.all.map(\.name)),
      hints: ["built in are " + BuiltInScenario.all.map(\.name).joined(separator: ", ")], exit: .usage)
  }

  /// A fleet sends gigabytes.
  private func requireOutlet() throws(Failure) {
    guard host.output.isTerminal, text(.to) == nil, text(.out) == nil else { return }
    throw Failure(
      "no_outlet", "the events of a fleet are too many for a screen",
      hints: [
        "write them to a file with --out FILE, or pipe them into a database: uptake simulate --until 1m | uptake import -",
        "to see them here all the same: --out -",
      ], exit: .usage)
  }

  fileprivate func adjusted(_ scenario: Scenario) throws(Failure) -> Scenario {
    var scenario = scenario
    if let devices = integer(.devices) { scenario.devices = devices }
    if let days = integer(.days) { scenario.days = days }
    if let until = instant(.end) {
      scenario.until = Timestamp(rawValue: until.rawValue)
      guard scenario.until.isPermitted else {
        throw Failure(
          "bad_value", "\(until.rfc3339) is no time to simulate", place: "--until",
          hints: ["give a time between the years 2000 and 9999"], exit: .usage)
      }
    }
    return integer(.releases).map { scenario.with(releases: $0) } ?? scenario
  }

  fileprivate func simulate(_ scenario: Scenario) throws {
    try requireOutlet()
    try writeFile(.publications, Fleet.publications(of: scenario))
    let url = text(.to)
    var outlets: [any RequestOutlet] = []
    if url == nil || text(.out) != nil { outlets.append(try EventFile(text(.out) ?? "-", host)) }
    if let url {
      outlets.append(
        try EventSender(
          url, key: text(.key), connections: try integer(needed: .connections),
          userAgent: "\(program.name)/\(program.version)", clock: host.clock))
    }
    // Requests of one device wait for each other, so a service is sent short slices, which mix many devices.
    let fleet = Fleet(
      scenario, seed: UInt64(try integer(needed: .seed)), slice: url == nil ? .hours(6) : .minutes(30),
      stampsTransport: url == nil)
    let truth = try run(fleet, into: outlets)
    try writeFile(.truth, truth.json)
    try note(["\(counted(truth.events, "event")) in \(counted(truth.requests, "request"))"] + outlets.flatMap(\.notes))
  }

  private func run(_ fleet: Fleet, into outlets: [any RequestOutlet]) throws -> Truth {
    var progress = Progress("simulating", unit: "events", on: host.errors, glyphs: glyphs, quiet: flag(.quiet))
    defer { progress.finish() }
    var (events, done) = (0, 0.0)
    let truth = try fleet.run { part in
      done = part
      progress.update(events, fraction: part)
    } _: { request in
      events += request.events
      for outlet in outlets { try outlet.take(request) }
      if events & 1023 < request.events { progress.update(events, fraction: done) }
    }
    for outlet in outlets { try outlet.finish() }
    return truth
  }

  private func writeFile(_ option: Option, _ text: String) throws {
    guard let path = self.text(option) else { return }
    guard path != "-" else { return try host.output.write(text) }
    let file = try AtomicFile(path)
    try file.write(text)
    try file.commit()
  }
}
