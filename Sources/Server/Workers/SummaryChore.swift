internal import Console
internal import Query

/// Summarises anew every app of which something changed.
struct SummaryChore: Chore {
  static let name = "summary"
  /// A file, or the address of a warehouse.
  var database: String
  /// Of a file what is sorted is summarised, without the events that come in meanwhile.
  var whileEventsWait = false

  struct Done: Codable, Sendable {
    /// Whether there was nothing to wait for.
    var isWhole: Bool
  }

  func done(_: @Sendable () -> Instant) throws -> Done {
    Done(isWhole: try Summary.refresh(path: database, whileEventsWait: whileEventsWait))
  }
}
