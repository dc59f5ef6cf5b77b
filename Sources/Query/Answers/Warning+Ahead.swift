import Console
import Lifecycle
import Store

extension Warning {
  /// All that is known happened after the instant that is asked about.
  public static let eventsAhead = "events_ahead"

  static func ahead(_ events: EventsAhead, of now: Timestamp) -> Warning {
    let span =
      events.first.words == events.last.words
      ? "at \(events.first.words)" : "from \(events.first.words) to \(events.last.words)"
    return Warning(
      eventsAhead,
      "nothing is known up to \(now.words), and \(counted(events.count, "event")) \(events.count == 1 ? "says that it" : "say that they") happened"
        + " after it, \(span): are local times sent as UTC, or does --now lie in the past? \(ShiftedClocks.remedy)")
  }
}

extension Snapshot {
  /// - Parameter newest: contact that was looked at; nil where there is none, which is no wonder where no event was stored.
  func aheadWarnings(_ scope: any Scope, newest: Timestamp?) throws -> [Warning] {
    guard newest == nil, let events = try eventsAhead(of: scope.chosenApp, after: scope.now) else { return [] }
    return [.ahead(events, of: scope.now)]
  }
}
