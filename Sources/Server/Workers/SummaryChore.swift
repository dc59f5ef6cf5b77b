internal import Console
internal import Query

/// Summarises anew every app of which something changed.
struct SummaryChore: Chore {
  static let name = "summary"
  /// A file, or the address of a warehouse.
  var database: String
  var due = SummaryPace.Due.whole
  /// Where what was sorted ended when it was begun: no stretch goes beyond it meanwhile.
  var last: Int64?

  struct Done: Codable, Sendable {
    /// Whether there was nothing to wait for.
    var isWhole: Bool
  }

  func done(_ now: @Sendable () -> Instant) throws -> Done {
    switch due {
    case .whole: return Done(isWhole: try Summary.refresh(path: database))
    case .sorted: try Summary.refresh(path: database, whileEventsWait: true, upTo: last)
    case .open: try OpenSummary.refresh(path: database, now: now(), upTo: last)
    }
    return Done(isWhole: false)
  }
}
