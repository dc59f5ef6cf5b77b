/// A stretch of single events that left the event table, or is about to.
struct Removed {
  /// How far the removal is. Killed at any of them, the next run goes on from there.
  enum State: Int64 {
    /// The archive may be there, in part or whole; all events still are.
    case planned
    /// The archive, where there is one, is on disk; events go, some at a time.
    case removing
    case gone
  }

  var id: Int64
  /// Numbers of events. Only those within that are older than `before` are meant.
  var first, last: Int64
  var before: Int64
  var state: State
  var events: Int64
  /// nil where they are dropped.
  var archive: String?

  static func any(_ connection: borrowing Connection) throws(StoreError) -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM removed WHERE state > 0)") != 0
  }

  static func all(_ connection: borrowing Connection) throws(StoreError) -> [Removed] {
    try connection.prepare("SELECT id, first, last, before, state, events, archive FROM removed ORDER BY id").rows {
      Removed(
        id: $0.integer(0), first: $0.integer(1), last: $0.integer(2), before: $0.integer(3),
        state: State(rawValue: $0.integer(4)) ?? .gone, events: $0.integer(5), archive: $0.optionalText(6))
    }
  }
}
