import Synchronization

/// What all threads of a server share.
final class Service: Sendable {
  let configuration: Configuration
  let handler: Handler
  let roster = Roster()
  let headerNames: [String]
  let maxConnections: Int
  let inFlight = Atomic<Int>(0)
  let accepted = Atomic<Int>(0)
  let turnedAway = Atomic<Int>(0)
  let timedOut = Atomic<Int>(0)
  let isDraining = Atomic<Bool>(false)

  init(_ configuration: Configuration, maxConnections: Int, handler: @escaping Handler) {
    self.configuration = configuration
    self.maxConnections = maxConnections
    self.handler = handler
    headerNames = configuration.headers.map { $0.lowercased() }
  }

  var statistics: Statistics {
    var statistics = Statistics()
    statistics.connections = roster.count
    statistics.inFlight = inFlight.load(ordering: .relaxed)
    statistics.accepted = accepted.load(ordering: .relaxed)
    statistics.turnedAway = turnedAway.load(ordering: .relaxed)
    statistics.timedOut = timedOut.load(ordering: .relaxed)
    return statistics
  }

  /// The connection must reach the end of that stage in time.
  func expect(_ stage: Deadline.Stage, of connection: Connection) {
    connection.deadline.set(stage, at: Clock.milliseconds() + timeout(stage).milliseconds)
  }

  private func timeout(_ stage: Deadline.Stage) -> Duration {
    switch stage {
    case .head: configuration.headerTimeout
    case .body: configuration.bodyTimeout
    case .idle: configuration.idleTimeout
    case .send: configuration.sendTimeout
    }
  }
}
