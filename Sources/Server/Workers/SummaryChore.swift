internal import Console
internal import Query

/// Summarises anew every app of which something changed.
struct SummaryChore: Chore {
  static let name = "summary"
  var database: String

  struct Done: Codable, Sendable {}

  func done(_: @Sendable () -> Instant) throws -> Done {
    try Summary.refresh(path: database)
    return Done()
  }
}
