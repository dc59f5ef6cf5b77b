internal import Answers
internal import Console
internal import HTTP
internal import Query
internal import Store

private extension Option {
  static let url = Option(
    "url", .text, value: "URL", help: "Ask a service, such as http://127.0.0.1:8787, instead of a database file")
  static let key = Option(
    "key", .text, environment: "UPTAKE_KEY", isSecret: true, help: "The key to read with, where the service has keys")
  static let trust = Option(
    "trust", .path, completion: "files", help: "Trust the certificates of this file (PEM), not the system's")
  static let once = Option("once", help: "Print one frame and end")
}

extension Command {
  static let watch = Command(
    "watch", group: "SERVICE", purpose: "Show verdict, adoption and failures on a live screen",
    discussion: """
      Verdicts of all channels, and of one release its adoption beside the release before, what delivered it, and why first \
      attempts fail. An event is seen within a second; where nothing comes in nothing is asked. Keys: c or an arrow \
      for the next channel, r and R for older and newer releases, q to end.
      """,
    options: [.database, .url, .key, .trust, .app, .channel, .once, .now] + Option.objective,
    examples: [
      .init("A database of this machine", "uptake watch --db uptake.db"),
      .init(
        "A service, with a key that may read", "uptake watch --url https://uptake.example.com --app com.example.demo"),
      .init("One frame", "uptake watch --once"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["status", "verdict", "demo"]
  ) { invocation in
    let source = try invocation.watchSource()
    let channels = invocation.texts(.channel)
    guard invocation.flag(.once) else {
      try invocation.requireTerminal()
      // What is wrong from the start is told as an error, not on a screen.
      _ = try source.pulse()
      var loop = WatchLoop(
        WatchDesk(source, channels: channels), glyphs: invocation.glyphs, colour: invocation.usesColour)
      loop.run()
      return .done
    }
    try invocation.printFrame(source, channels)
    return .done
  }
}

extension Invocation {
  /// What stands still where `--now` says so.
  private var clock: @Sendable () -> Instant {
    guard let present = instant(.now) else { return host.clock }
    return { present }
  }

  fileprivate func watchSource() throws -> any WatchSource {
    guard let url = text(.url) else {
      let path = try databasePath()
      if RemoteDatabases.isAddress(path) { throw watchesNoWarehouse(path) }
      let vocabulary = try Vocabulary(path: path)
      let defaults = Option.objective.compactMap { option in
        settings.setting(option)?.texts.last.map { (option: option, text: $0) }
      }
      _ = try judging()
      return DatabaseSource(
        path: path, app: try vocabulary.chosenApp(text(.app)), defaults: defaults,
        clock: clock)
    }
    guard let address = WebAddress(url), !address.path.contains("?") else {
      throw Failure(
        "bad_url", "\(quoted(url)) is not the URL of a service", place: "--url",
        hints: ["write it like http://127.0.0.1:8787"], exit: .usage)
    }
    return ServiceSource(
      address: address, key: text(.key), app: text(.app), now: instant(.now),
      client: HTTPClient(
        userAgent: "\(program.name)/\(program.version)", timeout: .seconds(30), maxAnswerBytes: 8 << 20,
        trustFile: text(.trust)))
  }

  private func watchesNoWarehouse(_ address: String) -> Failure {
    let place = RemoteDatabases.shown(address)
    let status = ShellCommand("uptake", "status").option("db", place)
    return Failure(
      "only_in_files", "watch looks at a service or a file, not at \(place)",
      why: "a warehouse does not say when an event came, and each look would read its devices",
      hints: [
        "a node's own devices: \(ShellCommand("uptake", "watch").option("url", "http://NODE:8787"))",
        "all of them, every minute: watch -n 60 \(status)",
      ], exit: .usage)
  }

  fileprivate func requireTerminal() throws(Failure) {
    guard !host.output.isTerminal else { return }
    throw Failure(
      "no_terminal", "a live screen needs a terminal", hints: ["print one frame with --once"], exit: .usage)
  }

  fileprivate func printFrame(_ source: any WatchSource, _ channels: [String]) throws {
    let rate = try source.pulse().eventsPerSecond
    var picture = try WatchPicture(source, WatchChoice(), channels: channels)
    picture.finding = try WatchPicture.finding(source, channels: channels)
    let frame = WatchFrame(columns: host.output.columns, rows: 40, glyphs: glyphs, colour: usesColour)
    try print(frame.lines(picture, rate: rate, problem: nil, footer: nil).map { $0 + "\n" }.joined())
  }
}
