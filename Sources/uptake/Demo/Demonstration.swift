internal import Console
internal import Glibc
internal import Lifecycle

/// A simulated fleet in a folder of its own, and a service over it. Made of the commands that a user would type.
struct Demonstration {
  private let invocation: Invocation
  private let devices: Int
  private let lasting: Console.Duration?
  private let folder: DemoFolder

  private var database: String { folder.path + "/uptake.db" }
  private static let signals = SignalSet([SIGINT, SIGTERM])

  init(_ invocation: Invocation, devices: Int, lasting: Console.Duration?) throws(Failure) {
    (self.invocation, self.devices, self.lasting) = (invocation, devices, lasting)
    folder = try DemoFolder(invocation.host.environment)
  }

  /// Ends by itself, or with a signal; the folder is gone then in any case.
  func run() throws -> ExitCode {
    // Before there are other threads: those that come take it over.
    Self.signals.block()
    defer { folder.remove() }
    try prepare()
    return try serve()
  }

  private func prepare() throws {
    let interruption = Interruption(Self.signals) { [folder] in folder.remove() }
    defer { interruption.stop() }
    let (events, publications) = (folder.path + "/events.ndjson", folder.path + "/publications.json")
    try say("simulating \(grouped(devices)) phones over 30 days …")
    try step(
      "simulate", "--devices", "\(devices)", "--until", invocation.now.rfc3339, "--out", events, "--publications",
      publications)
    try step("release", "publish", "--from", publications, "--db", database)
    try say("storing their events …")
    try step("import", events, "--db", database)
    unlink(events)
  }

  private func step(_ words: String...) throws {
    let (output, errors) = (CapturedText(), CapturedText())
    let exit = nested(words, output: output.sink, errors: errors.sink)
    guard exit == .done else { throw failed(words[0], errors.text) }
  }

  private func serve() throws -> ExitCode {
    let errors = CapturedText()
    let announcement = DemoAnnouncement(
      invocation, database: database, lasting: lasting.map { Double($0.rawValue) / 1000 })
    let exit = nested(
      ["serve", "--db", database, "--listen", "127.0.0.1:0", "--reports", folder.path + "/site"],
      output: announcement.sink, errors: errors.sink)
    guard exit == .done else { throw failed("serve", errors.text) }
    return .done
  }

  /// A command of this program, with no settings but what its words say: no service of somebody's is told of a demo.
  private func nested(_ words: [String], output: Sink, errors: Sink) -> ExitCode {
    var host = invocation.host
    host.arguments = words + ["--config", folder.path + "/config.toml"]
    host.environment = host.environment.filter { !$0.key.hasPrefix("UPTAKE_") }
    (host.output, host.errors) = (output, errors)
    return invocation.program.run(host, explain: explain)
  }

  private func failed(_ step: String, _ why: String) -> Failure {
    Failure("demo_failed", "the demo failed at: uptake \(step)", why: why, hints: ["is there space in \(folder.path)?"])
  }

  private func say(_ line: String) throws { try invocation.note([line]) }
}
