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
  func writeSparingly(_ level: Level, _ event: String, _ facts: [String: JSON] = [:]) {
    let now = ContinuousClock.now
    let unwritten: Int? = lately.withLock { lately in
      if let last = lately[event], now - last.at < .seconds(10) {
        lately[event] = (last.at, last.unwritten + 1)
        return nil
      }
      defer { lately[event] = (now, 0) }
      return lately[event]?.unwritten ?? 0
    }
    if let unwritten { write(level, event, facts.merging(["unwritten": .integer(unwritten)]) { $1 }) }
  }
}
