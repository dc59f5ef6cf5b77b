/// Without its shards the new file needs the events that had been taken out, too.
extension Salvage {
  static func putBackArchives(
    _ connection: borrowing Connection, deletions log: String, _ salvage: inout Salvage
  ) throws(StoreError) {
    let keys = try IdentityKeys.required(connection)
    let forgotten = try ForgottenDevices(keys, connection, logs: [log])
    for removed in try Removed.all(connection) where removed.state != .planned {
      do throws(StoreError) {
        var events = try readable(removed, keys, connection)
        try events.recallIdentities(removed, connection)
        events = try forgotten.taken(from: events, undatedStays: true).withoutStored(connection)
        let count = try events.insert(connection)
        salvage.notes.append(
          "\(counted(count, one: "event was", many: "events were")) put back from the archive \(removed.archive ?? "")"
        )
      } catch {
        guard case .refused = error.kind else { throw error }
        let lost = counted(
          Int(removed.events), one: "event that had been taken out is", many: "events that had been taken out are")
        salvage.notes.append("\(lost) lost: \(why(removed, error))")
      }
    }
    try connection.execute("DELETE FROM removed; DELETE FROM meta WHERE key LIKE 'archive %'")
  }

  /// Another file may lie under the archive's name.
  private static func readable(
    _ removed: Removed, _ keys: IdentityKeys, _ connection: borrowing Connection
  ) throws(StoreError) -> ArchivedEvents {
    guard let path = removed.archive else { throw StoreError(.refused(.archiveMissing), path: "") }
    let events = try Archive.load(path, keys)
    if try removed.wrote(events, keys, connection) || removed.left(events) { return events }
    throw StoreError(.refused(.foreignArchive), path: path)
  }

  private static func why(_ removed: Removed, _ error: StoreError) -> String {
    removed.archive == nil ? "they were dropped" : error.description
  }
}

extension ArchivedEvents {
  /// Without those that were put into the table before under other numbers.
  fileprivate func withoutStored(_ connection: borrowing Connection) throws(StoreError) -> ArchivedEvents {
    let wanted = Set(zip(sequences, rows).map { $1.standIn($0) })
    var stored: Set<Int64> = []
    let identities = try connection.prepare("SELECT id_hash FROM event")
    while try identities.step() {
      if wanted.contains(identities.integer(0)) { stored.insert(identities.integer(0)) }
    }
    return stored.isEmpty ? self : keeping { sequence, row in !stored.contains(row.standIn(sequence)) }
  }
}
