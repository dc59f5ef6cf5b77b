public import Lifecycle

/// What a retention did, or would do.
public struct RetentionReport: Sendable {
  public var events: Int64 = 0
  /// Archives that were written, and their bytes.
  public var archives: [String] = []
  public var bytes = 0
  public init() {}
}

/// Takes old single events out of the event table: into archives, or away.
///
/// Only events go that are folded, and shipped where the file is shipped at all: no answer changes. Each archive is on disk before its first event goes, and events go a few
/// thousand to a transaction. What is to go is written down first: killed anywhere, the next run finishes it, and
/// nothing is lost or there twice.
struct Retention: ~Copyable {
  /// Where old events go.
  enum Destination {
    case archives(directory: String)
    case nowhere

    var mount: ArchiveMount? {
      if case .archives(let directory) = self { ArchiveMount(folder: directory) } else { nil }
    }
  }

  /// Events of one archive; deletes of one transaction.
  static let chunk: Int64 = 262_144
  static let step: Int64 = 10_000
  /// As many events are compared with a resend at most.
  static let rememberedEvents: Int64 = 16_777_216

  let connection: Connection
  /// Whether events stay that no warehouse has acknowledged, also where none was ever reached.
  private let onlyShipped: Bool
  private let keys: IdentityKeys
  /// Runs what writes while nobody else does.
  private let exclusively: (() throws(StoreError) -> Void) throws(StoreError) -> Void

  init(
    path: String, onlyShipped: Bool = false,
    exclusively: @escaping (() throws(StoreError) -> Void) throws(StoreError) -> Void
  ) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try Schema.requireCurrent(connection)
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA foreign_keys = ON")
    keys = try IdentityKeys.required(connection)
    (self.exclusively, self.onlyShipped) = (exclusively, onlyShipped)
    self.connection = connection
  }

  /// Finishes what an earlier run began, then removes what was received before an instant.
  func run(before: Timestamp, to destination: Destination) throws(StoreError) -> RetentionReport {
    var report = RetentionReport()
    let mount = destination.mount
    try mount?.require(connection)
    for begun in try Removed.all(connection) where begun.state != .gone {
      try finish(redirected(begun, to: destination), &report)
    }
    var cursor: Int64 = 0
    while let next = try plan(after: cursor, before: before.rawValue, destination) {
      cursor = next.last
      try finish(next, &report)
    }
    try exclusively { () throws(StoreError) in
      try prune()
      if !report.archives.isEmpty { try mount?.note(connection) }
    }
    return report
  }

  /// A removal of which nothing has gone yet goes where events go now, as after its disk was full. Where its archive is
  /// whole already, killed before that was written down, it stays.
  private func redirected(_ begun: Removed, to destination: Destination) throws(StoreError) -> Removed {
    guard begun.state == .planned else { return begun }
    var moved = begun
    switch destination {
    case .nowhere: moved.archive = nil
    case .archives(let directory):
      guard begun.archive.map(DurableFile.directory(of:)) != directory else { return begun }
      moved.archive = Archive.freePath("\(directory)/events-\(begun.first)-\(begun.last)")
    }
    guard moved.archive != begun.archive, !begun.left(Archive.readable(begun.archive, keys)) else { return begun }
    var isMoved = false
    try exclusively { () throws(StoreError) in
      try connection.prepare("UPDATE removed SET archive = ? WHERE id = ? AND state = 0 AND archive IS ?").run(
        .optional(moved.archive), .integer(begun.id), .optional(begun.archive))
      isMoved = try connection.integer("SELECT changes()") > 0
    }
    if isMoved, let path = begun.archive { ArchivePart.discard(leftOf: path) }
    return moved
  }

  /// How many events would go.
  func count(before: Timestamp) throws(StoreError) -> Int64 {
    let select = try connection.prepare("SELECT count(*) FROM event WHERE seq <= ?1 AND coalesce(received, at) < ?2")
    return try select.first(.integer(try newestRemovable()), .integer(before.rawValue)) { $0.integer(0) } ?? 0
  }

  /// No event goes that is not folded, nor one that a warehouse lacks to which the file is shipped.
  private func newestRemovable() throws(StoreError) -> Int64 {
    let watermark = try Watermark.read(connection)
    return min(watermark, try ShippingLog.newestShipped(connection) ?? (onlyShipped ? 0 : watermark))
  }

  /// Writes down which events go next; nil where none are old enough.
  private func plan(
    after cursor: Int64, before: Int64, _ destination: Destination
  ) throws(StoreError) -> Removed? {
    let select = try connection.prepare(
      """
      SELECT min(seq), max(seq), count(*) FROM (SELECT seq FROM event
        WHERE seq > ?1 AND seq <= ?2 AND coalesce(received, at) < ?3 ORDER BY seq LIMIT ?4)
      """)
    let newest = try newestRemovable()
    let range = try select.first(
      .integer(cursor), .integer(newest), .integer(before), .integer(Self.chunk),
      row: { ($0.integer(0), $0.integer(1), $0.integer(2)) })
    guard let (first, last, count) = range, count > 0 else { return nil }
    var planned = Removed(
      id: 0, first: first, last: last, before: before, state: .planned, events: count, archive: nil)
    if case .archives(let directory) = destination {
      planned.archive = Archive.freePath("\(directory)/events-\(first)-\(last)")
    }
    try exclusively { () throws(StoreError) in planned.id = try Removed.insert(planned, connection) }
    return planned
  }

  private func finish(_ begun: Removed, _ report: inout RetentionReport) throws(StoreError) {
    var removed = begun
    if try leaveRest(removed) { return }
    while removed.state == .planned { try archive(&removed, &report) }
    var more = true
    while more {
      try exclusively { () throws(StoreError) in more = try removeSome(removed) }
      try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }
    report.events += removed.events
  }

  /// Ends a removal that was half done when its archive vanished, as in a backup that was restored elsewhere: what is left
  /// of its events is planned anew. Answers whether it was one.
  private func leaveRest(_ removed: Removed) throws(StoreError) -> Bool {
    guard removed.state == .removing, let path = removed.archive else { return false }
    if let found = Archive.readable(path, keys), try removed.wrote(found, keys, connection) { return false }
    try exclusively { () throws(StoreError) in
      try connection.prepare("UPDATE removed SET state = 2 WHERE id = ? AND state = 1").run(.integer(removed.id))
    }
    return true
  }

  /// Puts the archive on disk, then allows its events to go; again where devices were forgotten meanwhile, or where
  /// another file has the name.
  private func archive(_ removed: inout Removed, _ report: inout RetentionReport) throws(StoreError) {
    var planned = removed
    let (generation, current, events) = try connection.snapshot { () throws(StoreError) in
      (try Generation.read(connection), try planned.current(connection), try ArchivedEvents.read(planned, connection))
    }
    guard let current, current.state == .planned else { return removed.follow(current) }
    // Another run may have chosen another place.
    planned.archive = current.archive
    planned.events = Int64(events.rows.count)
    guard let path = planned.archive else {
      try exclusively { () throws(StoreError) in
        try allow(&planned, generation, events) { _ throws(StoreError) in true }
      }
      return removed = planned
    }
    let part = try ArchivePart(
      Archive.pack(events, keys, before: planned.before), for: path, ownedLike: connection.path)
    try exclusively { () throws(StoreError) in
      try allow(&planned, generation, events, part.digest) { removed throws(StoreError) in
        try part.place(for: removed, at: path, keys)
      }
    }
    removed = planned
    guard planned.state == .removing else { return part.discard() }
    report.archives.append(path)
    report.bytes += part.count
  }

  /// Where `place` answers false the removal gets another name, written down before any file has it.
  private func allow(
    _ planned: inout Removed, _ generation: Int64, _ events: ArchivedEvents, _ digest: [UInt8]? = nil,
    _ place: (Removed) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var next = planned
    try connection.transaction { () throws(StoreError) in
      guard try Generation.read(connection) == generation, let current = try planned.current(connection),
        current.state == .planned, current.archive == planned.archive
      else { return }
      if try place(planned) {
        next.state = .removing
        try Removed.allow(next, identities: events.rows.map(\.identity), digest: digest, connection)
      } else if let path = planned.archive {
        next.archive = Archive.freePath("\(DurableFile.directory(of: path))/events-\(planned.first)-\(planned.last)")
        try connection.prepare("UPDATE removed SET archive = ? WHERE id = ?").run(
          .optional(next.archive), .integer(planned.id))
      }
    }
    planned = next
  }

  /// False after the last, and where others have finished it or put its events back.
  private func removeSome(_ removed: Removed) throws(StoreError) -> Bool {
    try connection.transaction { () throws(StoreError) in
      guard try removed.current(connection)?.state == .removing else { return false }
      let delete = try connection.prepare(
        """
        DELETE FROM event WHERE seq IN (SELECT seq FROM event
          WHERE seq BETWEEN ?1 AND ?2 AND coalesce(received, at) < ?3 ORDER BY seq LIMIT ?4)
        """)
      try delete.run(
        .integer(removed.first), .integer(removed.last), .integer(removed.before), .integer(Self.step))
      if try connection.integer("SELECT changes()") > 0 { return true }
      try connection.prepare("UPDATE removed SET state = 2 WHERE id = ?").run(.integer(removed.id))
      return false
    }
  }

  /// Forgets by what resends are recognised where they no longer would be.
  private func prune() throws(StoreError) {
    let oldest = try EventSequence.newest(connection) - Self.rememberedEvents
    try connection.prepare("UPDATE removed SET identities = NULL WHERE last <= ? AND identities IS NOT NULL").run(
      .integer(oldest))
  }
}

extension EventLog {
  /// Moves what was received before an instant into archives of a directory, or drops it where there is none.
  ///
  /// - Parameter onlyShipped: nothing goes before the file was shipped somewhere; else only warehouses count that it is shipped
  ///   to already.
  public func retain(
    before: Timestamp, archives: String?, onlyShipped: Bool = false
  ) throws(StoreError) -> RetentionReport {
    let retention = try Retention(path: path, onlyShipped: onlyShipped) { body throws(StoreError) in
      try self.exclusively(body)
    }
    return try retention.run(before: before, to: archives.map { .archives(directory: $0) } ?? .nowhere)
  }

  /// How many events `retain` would take.
  public func retainable(before: Timestamp, onlyShipped: Bool = false) throws(StoreError) -> Int64 {
    try Retention(path: path, onlyShipped: onlyShipped) { body throws(StoreError) in try body() }.count(before: before)
  }
}
