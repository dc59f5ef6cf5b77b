internal import Console
internal import Dispatch
internal import Glibc
internal import HTTP
internal import Synchronization

/// Says where the pages are once the service serves them, and ends the service when its time is over.
final class DemoAnnouncement: Sendable {
  private let invocation: Invocation
  private let database: String
  private let lasting: Double?
  private let hasBegun = Atomic(false)

  /// - Parameter lasting: seconds from the announcement on; nil where the demo ends with a signal.
  init(_ invocation: Invocation, database: String, lasting: Double?) {
    (self.invocation, self.database, self.lasting) = (invocation, database, lasting)
  }

  /// Standard output of `uptake serve`: its first line says where it listens.
  var sink: Sink {
    Sink(isTerminal: false, columns: 80) { [self] bytes in
      guard let url = Self.place(in: String(decoding: bytes, as: UTF8.self)),
        !hasBegun.exchange(true, ordering: .relaxed)
      else { return }
      DispatchQueue.global().async { self.announce(url) }
    }
  }

  static func place(in line: String) -> String? {
    guard let start = line.firstRange(of: "listens on "), let end = line.firstRange(of: ", database") else {
      return nil
    }
    return String(line[start.upperBound..<end.lowerBound])
  }

  private func announce(_ url: String) {
    waitForPages(url)
    // A reader that has gone is no reason to go on.
    guard (try? invocation.print(text(url))) != nil else { return end() }
    let deadline = lasting.map { ContinuousClock.now + .seconds($0) }
    while hadTerminal == (isatty(STDIN_FILENO) == 1), deadline.map({ .now < $0 }) ?? true { usleep(200_000) }
    end()
  }

  /// Whoever closes the terminal ends the demo; to the service a hang-up means that it reads its keys again.
  private let hadTerminal = isatty(STDIN_FILENO) == 1

  private func end() { kill(getpid(), SIGTERM) }

  /// At most half a minute; then whoever opens them is told to wait.
  private func waitForPages(_ url: String) {
    guard let address = WebAddress(url) else { return }
    let client = HTTPClient(userAgent: "\(invocation.program.name)/\(invocation.program.version)")
    for _ in 0..<300 {
      if let answer = try? client.send(OutboundRequest("GET", address)), answer.status == 200 { return }
      usleep(100_000)
    }
  }

  private func text(_ url: String) -> String {
    let base = url.hasSuffix("/") ? String(url.dropLast()) : url
    let end = lasting.map { "for \(Console.duration(seconds: $0))" } ?? "until Ctrl-C"
    return """
      A simulated fleet is served \(end):

        \(base)/                    all releases, each with a verdict
        \(base)/mechanisms.html     what brings updates to devices
        \(base)/push.html           silent-push delivery

      Ask it, in another terminal:

        uptake status --db \(shellWord(database))
        uptake watch --db \(shellWord(database))
        curl \(base)/v1/answers/verdict


      """
  }
}
