internal import Glibc

/// Writes summaries. They are derived: losing one costs time, never an answer.
///
/// Events wait for every transaction, and a summary may have a hundred megabytes. So what is stored is compared without one, and what
/// changed is written in small ones with rests between, as a version that nobody reads before the last of them puts it in force.
public struct SummaryWriter: ~Copyable {
  let connection: Connection
  private let log = LogLength()

  public init(path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try Schema.requireCurrent(connection)
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864")
    log.watch(connection)
    self.connection = connection
  }

  /// Puts a summary in place of the one before, unless what was known at its last event can be told no more, rows were taken back
  /// since it was counted, or another is begun meanwhile.
  public func store(
    _ state: SummaryState, _ parts: [SummaryPart], app: String, generation: Int64, as kind: SummaryKind = .whole
  ) throws(StoreError) {
    guard let turn = try begin(state, app: app, generation: generation, as: kind) else { return }
    var changes = try changes(parts, turn)[...]
    var patience = LogPatience()
    while let some = Self.first(of: changes), some.endIndex < changes.endIndex {
      let begin = ContinuousClock.now
      guard try write(some, turn) else { return }
      changes = changes[some.endIndex...]
      Self.rest(after: .now - begin)
      if log.pages > Self.longLog { try connection.awaitShortLog(&patience) }
    }
    _ = try write(changes, turn, last: state)
  }

  /// Bytes that one transaction writes; a column that has more is written by itself.
  private static let most = 512 << 10
  /// Pages of the log from which on it is moved into the file.
  private static let longLog = 1024

  private static func first(of changes: ArraySlice<Change>) -> ArraySlice<Change>? {
    guard let first = changes.first else { return nil }
    var bytes = first.bytes
    let rest = changes.dropFirst().drop { change in
      bytes += change.bytes
      return bytes < most
    }
    return changes[..<rest.startIndex]
  }

  /// Who waits for a transaction looks again every few milliseconds.
  private static func rest(after took: Duration) {
    usleep(UInt32(min(200_000, max(5_000, (took * 2) / Duration.microseconds(1)))))
  }
}
