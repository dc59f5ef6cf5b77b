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

  public init(accepted: Int, duplicate: Int) {
    self.accepted = accepted
    self.duplicate = duplicate
  }
}

/// The one writer of the event table. Creates the database where there is none.
public final class EventLog: Sendable {
  private let writer: Lock<Writer>
  /// A copy of the writer's, for those who must not wait for a commit.
  private let published = Lock(EventTally())
  private let checkpointer: Checkpointer
  public let path: String
  private let opened: FileIdentity?
  /// The secret keys that turn ids of devices and events into hashes.
  public let identityKeys: IdentityKeys

  /// - Parameter window: how many of the newest events a resend is compared with.
  public init(path: String, durability: Durability = .full, window: Int = 16_777_216) throws(StoreError) {
    let writer = try Writer.open(path: path, durability: durability, window: window)
    identityKeys = writer.identityKeys
    self.path = path
    opened = FileIdentity(path)
    checkpointer = Checkpointer(path: path)
    self.writer = Lock(writer)
  }

  /// For work on a database that is there: creates none, and compares nothing with a resend.
  public convenience init(existing path: String) throws(StoreError) {
    guard DurableFile.exists(path) else { throw StoreError(.missingFile, path: path) }
    try self.init(path: path, window: 0)
  }

  /// Stores all batches in one transaction, on disk when this returns; on an error none of them is stored.
  public func append(_ batches: [EventBatch]) throws(StoreError) -> [Admitted] {
    try writer.withLock { writer throws(StoreError) in
      let admitted = try writer.append(batches)
      published.withLock { $0 = writer.tally }
      // The events are safe; a checkpoint that fails is tried again.
      if checkpointer.note(pages: writer.logPages) { try? writer.checkpoint() }
      return admitted
    }
  }

  public var tally: EventTally { published.withLock { $0 } }

  /// A commit that stores nothing of anybody: throws while commits fail.
  public func probe() throws(StoreError) {
    try writer.withLock { writer throws(StoreError) in try writer.probe() }
  }

  /// Whether the file at the path is still the one that is open here. Otherwise commits are refused.
  /// Waits for no commit.
  public var isInPlace: Bool { FileIdentity(path) == opened }

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
  func exclusively(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try writer.withLock { _ throws(StoreError) in try body() }
  }

  /// Moves what the write-ahead log holds into the database file.
  public func checkpoint() throws(StoreError) {
    try writer.withLock { writer throws(StoreError) in try writer.checkpoint() }
  }
}

// MARK: folding

extension EventLog {
  /// Folds up to `limit` events beside the appends: only storing the outcome keeps them waiting.
  @discardableResult
  public func fold(limit: Int = Folder.longestStep) throws(StoreError) -> Int {
    try fold(limit: limit, cores: 1, with: Folder(path: path))
  }

  /// Folds everything that is stored now, and no more: others may go on storing without end. Answers how many events.
  ///
  /// - Parameter isAlone: whether it may take all cores, because nobody else waits for them.
  @discardableResult
  public func foldAll(batch: Int = Folder.longestStep, isAlone: Bool = false) throws(StoreError) -> Int {
    let folder = try Folder(path: path)
    let newest = try folder.newest()
    var total = 0
    while try folder.watermark() < newest {
      total += try fold(limit: batch, cores: isAlone ? coreCount : 1, with: folder)
    }
    return total
  }

  private func fold(limit: Int, cores: Int, with folder: borrowing Folder) throws(StoreError) -> Int {
    guard let folded = try folder.prepare(limit: limit, cores: cores) else { return 0 }
    // SQLite's own lock is won by asking again and again, which a busy writer rarely leaves time for.
    try writer.withLock { _ throws(StoreError) in try folder.store(folded) }
    return folded.count
  }

  /// Sorts everything that is stored now by device, beside the shards: what questions then add to these costs little, and
  /// little is written. Answers how many events were sorted that had not been.
  @discardableResult
  public func sort(atOnce limit: Int = 500_000) throws(StoreError) -> Int {
    let folder = try Folder(path: path)
    let newest = try folder.newest()
    var total = 0
    while let sorting = try folder.prepareSorting(limit: limit) {
      total += try writer.withLock { _ throws(StoreError) in try folder.store(sorting) }
      if sorting.stretch.last >= newest { break }
    }
    return total
  }

  /// How many bytes the packed devices take: a fold of events of many devices writes about as many.
  public func fleetBytes() throws(StoreError) -> Int {
    Int(try Connection(path: path, mode: .read).integer("SELECT sum(length(packed)) FROM device"))
  }

  /// Brings everything that is stored now into the shards, a shard at a time beside the appends.
  public func settle() throws(StoreError) {
    try sort()
    try merge()
    // One that had begun before took only what there was then.
    try merge()
  }

  /// How many events are sorted, and not merged into the shards.
  public func sortedEvents() throws(StoreError) -> Int { try Folder(path: path).sortedEvents() }

  /// Merges what is sorted into the shards, a shard at a time beside the appends.
  ///
  /// - Parameter goesOn: asked before each shard; where it says no, the next merge goes on from there.
  public func merge(while goesOn: () -> Bool = { true }) throws(StoreError) {
    try merge(RecentLimit(), while: goesOn)
  }

  func merge(_ limit: RecentLimit, while goesOn: () -> Bool = { true }) throws(StoreError) {
    let folder = try Folder(path: path)
    guard try folder.beginMerging() else { return }
    while let merge = try folder.prepareMerging(limit) {
      guard goesOn() else { return }
      try writer.withLock { _ throws(StoreError) in try folder.store(merge) }
      try folder.keepLogShort()
    }
    try writer.withLock { _ throws(StoreError) in try folder.endMerging() }
  }
}
