internal import Console
internal import Ingest

/// What the log says of other systems' clients: most show nobody what they are answered.
extension Service {
  /// A request that was not taken, and that no second one helps; what passes by itself is counted alone.
  func noteRefused(_ dialect: Dialect, _ problem: DialectProblem) {
    metrics.dropped.add(1, dialect.name, problem.reason)
    if problem.retryAfter == nil { tellRefused(dialect, problem.reason, problem.message) }
  }

  /// What was taken and did not become an event.
  func noteDropped(_ dialect: Dialect, _ dropped: [String: Int]) {
    for (reason, count) in dropped {
      metrics.dropped.add(count, dialect.name, reason)
      if let words = Self.faults[reason] { tellRefused(dialect, reason, words) }
    }
  }

  /// Clients that ask here alone get no update at all. Where checks are copies of what another server answers, it is no fault.
  func noteNoUpstream(_ dialect: Dialect) {
    guard dialect.isCheck else { return }
    journal.writeSparingly(
      .warning, "no_upstream", about: dialect.name, every: .seconds(3600),
      [
        "client": .string(dialect.name),
        "effect": .string(
          "checks are answered with no update, as no update server is named: clients that ask here alone get none"),
        "hint": .string("uptake serve --upstream \(dialect.name)=https://…"),
      ])
  }

  /// The others are no faults of clients: much of what they send is about something else.
  private static let faults = [
    "no_device": "it names no device, and nothing of it is stored",
    "unknown_status": "its status is none that is known, and nothing of it is stored",
  ]

  private func tellRefused(_ dialect: Dialect, _ code: String, _ reason: String) {
    journal.writeSparingly(
      .warning, "client_refused", about: dialect.name + " " + code, every: .seconds(60),
      [
        "client": .string(dialect.name), "code": .string(code), "reason": Self.told(reason),
      ])
  }
}
