public import Console
public import Lifecycle
internal import Locks

/// One JSON object a line on standard error: what happened, never who sent it.
public final class ServiceLog: Sendable {
  public enum Level: String { case info, warning, error }

  private let sink: Lock<Sink>
  private let clock: @Sendable () -> Instant
  /// When an event was last written sparingly, and how often it was left out since.
  private let lately = Lock<[String: (at: ContinuousClock.Instant, unwritten: Int)]>([:])

  public init(_ sink: Sink, clock: @escaping @Sendable () -> Instant) {
    self.sink = Lock(sink)
    self.clock = clock
  }

  public func write(_ level: Level, _ event: String, _ facts: [String: JSON] = [:]) {
    var fields = facts
    fields["at"] = .string(clock().rfc3339)
    fields["level"] = .string(level.rawValue)
    fields["event"] = .string(event)
    let line = JSON.object(fields).text(.compact)
    // A log that cannot be written must not stop the service.
    sink.withLock { try? $0.write(line + "\n") }
  }

  /// For what happens again and again while something is wrong: at most every ten seconds, with how often it was not said.
  ///
  /// - Parameters:
  ///   - subject: of a closed set; each has lines of its own.
  ///   - times: how many things this is about.
  func writeSparingly(
    _ level: Level, _ event: String, about subject: String = "", every pause: Swift.Duration = .seconds(10),
    times: Int = 1, _ facts: [String: JSON] = [:]
  ) {
    let (now, name) = (ContinuousClock.now, event + " " + subject)
    let unwritten: Int? = lately.withLock { lately in
      if let last = lately[name], now - last.at < pause {
        lately[name] = (last.at, last.unwritten + times)
        return nil
      }
      defer { lately[name] = (now, 0) }
      return lately[name]?.unwritten ?? 0
    }
    if let unwritten { write(level, event, facts.merging(["unwritten": .integer(unwritten)]) { $1 }) }
  }
}
