/// By what a removal and the archive that it wrote know each other.
///
/// Numbers of events are given again after an older backup was restored, so a range of them says little. The digest of
/// the archive is written down with the removal, in `meta` as `archive ID`.
extension Removed {
  /// The digest of its archive; nil where there is none, or an earlier version wrote it.
  static func digest(of id: Int64, _ connection: borrowing Connection) throws(StoreError) -> [UInt8]? {
    let select = try connection.prepare("SELECT value FROM meta WHERE key = ?")
    return try select.first(.text("archive \(id)")) { $0.blob(0) }
  }

  static func setDigest(_ digest: [UInt8]?, of id: Int64, _ connection: borrowing Connection) throws(StoreError) {
    guard let digest else {
      return try connection.prepare("DELETE FROM meta WHERE key = ?").run(.text("archive \(id)"))
    }
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(
      .text("archive \(id)"), .blob(digest))
  }

  /// The removal that took an archive's events out of this table; nil where it was another database's, or a backup's.
  static func thatWrote(_ events: ArchivedEvents, _ connection: borrowing Connection) throws(StoreError) -> Removed? {
    let keys = try IdentityKeys.required(connection)
    for removed in try all(connection) where removed.state != .planned && removed.archive != nil {
      if try removed.wrote(events, keys, connection) { return removed }
    }
    return nil
  }

  func wrote(
    _ events: ArchivedEvents, _ keys: IdentityKeys, _ connection: borrowing Connection
  ) throws(StoreError) -> Bool {
    guard let origin = events.origin else { return false }
    if let written = try Self.digest(of: id, connection) { return written == origin.digest }
    // An earlier version wrote down no digest: the archive itself may still lie where it was written.
    guard left(events), self.events == Int64(events.rows.count) else { return false }
    return Archive.readable(archive, keys)?.origin.map { $0.digest == origin.digest } ?? true
  }

  /// Whether an archive may be what a run of this removal wrote, before or after devices were forgotten.
  func left(_ events: ArchivedEvents?) -> Bool {
    guard let events, let first = events.sequences.first, let last = events.sequences.last else { return false }
    return self.first <= first && last <= self.last && events.origin?.before == before
  }

  /// Whether an event was taken out by it, as far as its number and its receipt tell.
  func covers(_ sequence: Int64, _ row: EventRow) -> Bool {
    first <= sequence && sequence <= last && row.knownSince < before
  }

  func delete(_ connection: borrowing Connection) throws(StoreError) {
    try connection.prepare("DELETE FROM removed WHERE id = ?").run(.integer(id))
    try Self.setDigest(nil, of: id, connection)
  }
}

extension EventRow {
  /// When it was received, or its own time where nobody knows.
  var knownSince: Int64 { received == Self.none ? at : received }
}
