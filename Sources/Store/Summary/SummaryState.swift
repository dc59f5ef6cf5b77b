public import Lifecycle

/// What holds for a whole summary: from which events it was made, and for which questions.
public struct SummaryState: Equatable, Sendable {
  /// The number of the last event in it; of another engine, the number of its state.
  public var folded: Int64
  /// The cutoffs for which it holds, both included.
  public var since: Timestamp
  public var until: Timestamp
  public var dataThrough: Timestamp?
  /// Everything else that it was made from, in words.
  public var ground: String

  public init(folded: Int64, since: Timestamp, until: Timestamp, dataThrough: Timestamp?, ground: String) {
    self.folded = folded
    self.since = since
    self.until = until
    self.dataThrough = dataThrough
    self.ground = ground
  }
}

/// What a summary is about: all releases, or above all the newest, which is made anew more often while events come in. The latter lies
/// under the number of its app with a minus before it.
public enum SummaryKind: Sendable {
  case whole
  case open

  func key(_ app: Int64) -> Int64 { self == .whole ? app : -app }
}
