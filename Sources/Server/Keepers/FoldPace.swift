/// Decides when events that came in are only sorted by device, and when they are merged into the shards.
///
/// A merge writes the shards that it touches anew, and the events of a large fleet touch all of them: a merge is due once
/// so much waits that it writes a bounded number of bytes for each event. A small fleet's shards are merged at once.
struct FoldPace {
  /// Sort at once when so many events wait.
  static let eagerEvents = 20_000
  /// At most so many bytes of shards are written for each event.
  static let bytesPerEvent = 50
  /// Where nothing comes in for a while, a merge is worth more: it makes every later question cheaper.
  static let bytesPerEventAtRest = 5000
  /// So little is merged whenever the service ends.
  static let smallFleet = 32 << 20

  /// What a merge writes: what the last one wrote, at first about what it will.
  var mergeBytes = 0

  func shouldMerge(sorted events: Int, isAtRest: Bool) -> Bool {
    guard events > 0 else { return false }
    return events * (isAtRest ? Self.bytesPerEventAtRest : Self.bytesPerEvent) >= mergeBytes
  }

  var shouldMergeAtEnd: Bool { mergeBytes <= Self.smallFleet }
}
