public import Lifecycle

/// Archives that are gone for good: what was in them counts as dropped from then on.
public struct LostArchives: Equatable, Sendable {
  public var archives: [String] = []
  /// Single events that were in them.
  public var events: Int64 = 0
}

extension EventLog {
  /// Archives that are not where they were written.
  ///
  /// - Parameter place: the path of one, or the folder that they were in.
  /// - Throws: `archive_not_lost` where there is none.
  public func missingArchives(at place: String) throws(StoreError) -> LostArchives {
    let connection = try Connection(path: path, mode: .read)
    try Schema.requireCurrent(connection)
    return try LostArchives(Removed.missing(at: place, connection), place)
  }

  /// Takes archives that are not where they were written as lost: forgetting waits for them no longer. One that turns up again is
  /// another's, and is put back like that. Those of a folder whose disk is not mounted are only taken one by one.
  public func giveUpArchives(
    at place: String, by author: Author = .thisUser, now: Timestamp
  ) throws(StoreError) -> LostArchives {
    let connection = try Connection(path: path, mode: .write)
    try Schema.requireCurrent(connection)
    try connection.execute("PRAGMA synchronous = FULL")
    return try exclusively { () throws(StoreError) -> LostArchives in
      try connection.transaction { () throws(StoreError) -> LostArchives in
        // One that was written anew may wait for its name.
        try ArchiveSwap.finish(connection)
        let missing = try Removed.missing(at: place, connection)
        let lost = try LostArchives(missing, place)
        if !lost.archives.contains(place), let mount = try ArchiveMount(folder: place).away(connection) {
          throw StoreError(.refused(.archivesAway(mount: mount)), path: place)
        }
        for removed in missing { try removed.giveUp(connection) }
        let facts = [AuditEntry.Fact("archives", Int64(lost.archives.count)), AuditEntry.Fact("events", lost.events)]
        try AuditEntry.write(.loseArchives, by: author, at: now, facts, connection)
        return lost
      }
    }
  }
}

extension LostArchives {
  fileprivate init(_ missing: [Removed], _ place: String) throws(StoreError) {
    guard !missing.isEmpty else { throw StoreError(.refused(.archiveNotLost), path: place) }
    self.init(archives: missing.compactMap(\.archive), events: missing.reduce(0) { $0 + $1.events })
  }
}

extension Removed {
  /// Those of a place whose archive is not there. A folder that cannot be looked into is none that lacks it.
  fileprivate static func missing(
    at place: String, _ connection: borrowing Connection
  ) throws(StoreError) -> [Removed] {
    try all(connection).filter { removed in
      guard removed.state != .planned, let path = removed.archive else { return false }
      return (path == place || DurableFile.directory(of: path) == place) && DurableFile.isMissing(path)
    }
  }

  /// As if its events had been dropped. Those of a removal that was half done stay, and are planned anew.
  fileprivate func giveUp(_ connection: borrowing Connection) throws(StoreError) {
    try connection.prepare("UPDATE removed SET archive = NULL, state = ? WHERE id = ?").run(
      .integer(State.gone.rawValue), .integer(id))
    try Self.setDigest(nil, of: id, connection)
  }
}
