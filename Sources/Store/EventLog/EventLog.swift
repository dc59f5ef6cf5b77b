public import Lifecycle
import Locks

/// How safe an acknowledged event is.
public enum Durability: String, CaseIterable, Sendable {
  /// On disk before the answer: survives a power loss.
  case full
  /// Handed to the system before the answer: survives a crash of the program, not a power loss.
  case normal
}

/// What became of the events of one batch.
public struct Admitted: Hashable, Sendable {
  public var accepted: Int
  public var duplicate: Int
  /// Of these the ones whose id an event of another device in the same batch has: they are no resends, and are lost.
  public var clashing: Int

  public init(accepted: Int, duplicate: Int, clashing: Int = 0) {
    (self.accepted, self.duplicate, self.clashing) = (accepted, duplicate, clashing)
  }
}

/// The one writer of the event table. Creates the database where there is none.
public final class EventLog: Sendable {
  private let writer: Lock<Writer>
  /// A copy of the writer's, for those who must not wait for a commit.
  private let published: Lock<(tally: EventTally, newest: Int64)>
  private let checkpointer: Checkpointer
  public let path: String
  private let opened: OpenedFiles
  private let length: FileLength
  /// The secret keys that turn ids of devices and events into hashes.
  public let identityKeys: IdentityKeys

  /// - Parameter window: how many of the newest events a resend is compared with.
  public init(path: String, durability: Durability = .full, window: Int = 16_777_216) throws(StoreError) {
    let writer = try Writer.open(path: path, durability: durability, window: window)
    identityKeys = writer.identityKeys
    self.path = path
    opened = OpenedFiles(path)
    length = writer.length
    checkpointer = Checkpointer(path: path, length)
    published = Lock((EventTally(), writer.lastSequence))
    self.writer = Lock(writer)
  }

  /// For work on a database that is there: creates none, and compares nothing with a resend.
  public convenience init(existing path: String) throws(StoreError) {
    if RemoteDatabases.isAddress(path) { throw StoreError(.noFile, path: path) }
    guard DurableFile.exists(path) else { throw StoreError(.missingFile, path: path) }
    try self.init(path: path, window: 0)
  }

  /// Stores all batches in one transaction, on disk when this returns; on an error none of them is stored.
  public func append(_ batches: [EventBatch]) throws(StoreError) -> [Admitted] {
    try writer.withLock { writer throws(StoreError) in
      let admitted = try writer.append(batches)
      published.withLock { $0 = (writer.tally, writer.lastSequence) }
      // The events are safe; a checkpoint that fails is tried again.
      if checkpointer.note(pages: writer.logPages) { try? writer.checkpoint() }
      return admitted
    }
  }

  public var tally: EventTally { published.withLock { $0.tally } }

  /// The number of the newest event as of the last commit: no event of a batch that was stored or recognised has a greater one.
  public var newest: Int64 { published.withLock { $0.newest } }

  /// A commit that stores nothing of anybody: throws while commits fail.
  public func probe() throws(StoreError) {
    try writer.withLock { writer throws(StoreError) in try writer.probe() }
  }

  func note(clock now: Timestamp) throws(StoreError) {
    try writer.withLock { writer throws(StoreError) in try writer.noteClock(now) }
  }

  /// Sets rows of `meta` by the connection that stores events; those without a value go.
  func note(_ rows: [(key: String, value: Value?)]) throws(StoreError) {
    if let misplacement { throw misplacement }
    try writer.withLock { writer throws(StoreError) in try writer.note(rows) }
  }

  /// Why commits are refused now: the file at the path, its log or its index is not the one that is open here, or was cut.
  /// Waits for no commit, unless the file is shorter than it was.
  public var misplacement: StoreError? {
    if let moved = opened.moved { return .moved(moved, path) }
    guard length.isLess(DiskSpace.size(path)) else { return nil }
    do { try probe() } catch { return error }
    return nil
  }

  /// Moves what the write-ahead log holds into the database file and gives its space back. Waits for readers.
  public func shrink() throws(StoreError) {
    try writer.withLock { writer throws(StoreError) in try writer.shrink() }
  }

  /// Writes the file anew without unused space. Nothing else can write meanwhile.
  public func vacuum() throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try exclusively { () throws(StoreError) in
      try connection.execute("VACUUM")
      try Remnants.noneSinceCreation(connection)
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// Runs what else writes to the file while nothing is appended or folded.
  func exclusively<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try writer.withLock { _ throws(StoreError) in try body() }
  }

  /// Moves what the write-ahead log holds into the database file.
  public func checkpoint() throws(StoreError) {
    try writer.withLock { writer throws(StoreError) in try writer.checkpoint() }
  }
}
