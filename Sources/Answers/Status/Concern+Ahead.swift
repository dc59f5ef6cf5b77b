import Console
import Lifecycle
import Query
import Store

extension Concern {
  /// Whatever is known of an app happened after the present, as it says.
  static func ahead(_ app: String, _ events: EventsAhead, of now: Timestamp) -> Concern {
    let span =
      events.first.words == events.last.words
      ? "at \(events.first.words)" : "from \(events.first.words) to \(events.last.words)"
    let newest = events.count >= Snapshot.newestAhead ? "the newest " : ""
    return Concern(
      kind: .clocks,
      message:
        "\(app): nothing is known up to \(now.words), and \(newest)\(counted(events.count, "event"))"
        + " \(events.count == 1 ? "says that it" : "say that they") happened after it, \(span): are local times sent as UTC, or does"
        + " --now lie in the past? \(ShiftedClocks.remedy)")
  }
}
