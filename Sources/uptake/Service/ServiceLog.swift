internal import Console
internal import Synchronization

/// One JSON object a line on standard error: what happened, never who sent it.
final class ServiceLog: Sendable {
  enum Level: String { case info, warning, error }

  private let sink: Mutex<Sink>
  private let clock: @Sendable () -> Instant

  init(_ sink: Sink, clock: @escaping @Sendable () -> Instant) {
    self.sink = Mutex(sink)
    self.clock = clock
  }

  func write(_ level: Level, _ event: String, _ facts: [String: JSON] = [:]) {
    var fields = facts
    fields["at"] = .string(clock().rfc3339)
    fields["level"] = .string(level.rawValue)
    fields["event"] = .string(event)
    let line = JSON.object(fields).text(.compact)
    // A log that cannot be written must not stop the service.
    sink.withLock { try? $0.write(line + "\n") }
  }
}
