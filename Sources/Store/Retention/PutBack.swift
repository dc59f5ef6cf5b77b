/// What became of the events of an archive that was put back.
public struct PutBack: Hashable, Sendable {
  public var accepted = 0
  /// They are there already, in the table or in archives.
  public var duplicate = 0
  /// They are of devices that were forgotten since, and stay away.
  public var forgotten = 0
}

extension EventLog {
  /// Whether a file is an archive of events that retention took out.
  public static func isArchive(_ path: String) -> Bool { Archive.isOne(path) }

  /// Puts archived events back under their own numbers: what was folded stays folded, and no answer changes.
  ///
  /// Into a database that did not write the archive, as a backup from before, they go as new events behind the newest, to
  /// be folded. What is there already is a duplicate; of forgotten devices nothing comes back.
  public func putBack(archive: String) throws(StoreError) -> PutBack {
    let keys = identityKeys
    let connection = try Connection(path: path, mode: .write)
    try connection.execute("PRAGMA synchronous = FULL")
    let events = try Archive.load(archive, keys)
    var known: KnownEvents? = try connection.snapshot { () throws(StoreError) in
      try Removed.thatWrote(events, connection) == nil ? KnownEvents(events, keys, connection) : nil
    }
    var done = PutBack()
    try exclusively { () throws(StoreError) in
      done = try connection.transaction { () throws(StoreError) in
        let forgotten = try ForgottenDevices(keys, connection)
        if let removed = try Removed.thatWrote(events, connection) {
          return try events.putBack(removed, without: forgotten, connection)
        }
        let admissible = forgotten.taken(from: events)
        if known == nil { known = try KnownEvents(events, keys, connection) }
        try known?.catchUp(admissible, connection)
        return try admissible.append(known, of: events.rows.count, connection)
      }
    }
    return done
  }
}

extension ArchivedEvents {
  /// Under their own numbers. A removal that was half done ends with it: what is left of its events stays.
  fileprivate func putBack(
    _ removed: Removed, without forgotten: ForgottenDevices, _ connection: borrowing Connection
  ) throws(StoreError) -> PutBack {
    var all = self
    try all.recallIdentities(removed, connection)
    var events = forgotten.taken(from: all, undatedStays: true)
    let (count, accepted) = (events.rows.count, try events.insert(connection))
    try removed.delete(connection)
    return PutBack(accepted: accepted, duplicate: count - accepted, forgotten: rows.count - count)
  }

  /// As new events behind the newest, where no fold has been.
  ///
  /// - Parameter all: how many there were with those of forgotten devices.
  fileprivate func append(
    _ known: KnownEvents?, of all: Int, _ connection: borrowing Connection
  ) throws(StoreError) -> PutBack {
    var events = keeping { sequence, row in !(known?.contains(sequence, row) ?? false) }
    try events.renumber(connection)
    let counted = zip(events.sequences, events.rows).filter { known?.wasCounted($0, $1) ?? false }.map(\.1)
    var newest = try EventSequence.newest(connection)
    let insert = try EventRow.insertion(connection)
    for row in events.rows {
      newest += 1
      try insert.run(all: [.integer(newest)] + row.values)
    }
    try Sightings(of: counted, connection).takeOffLags(connection)
    let accepted = events.rows.count
    return PutBack(accepted: accepted, duplicate: rows.count - accepted, forgotten: all - rows.count)
  }
}

extension ArchivedEvents {
  /// What would become of them if they were put back now. Writes nothing.
  func rehearsed(_ keys: IdentityKeys, _ connection: borrowing Connection) throws(StoreError) -> PutBack {
    let isOwn = try Removed.thatWrote(self, connection) != nil
    let events = try ForgottenDevices(keys, connection).taken(from: self, undatedStays: isOwn)
    let there = isOwn ? try events.inPlace(connection) : try known(keys, connection, events)
    return PutBack(accepted: events.rows.count - there, duplicate: there, forgotten: rows.count - events.rows.count)
  }

  private func known(
    _ keys: IdentityKeys, _ connection: borrowing Connection, _ events: ArchivedEvents
  ) throws(StoreError) -> Int {
    let known = try KnownEvents(self, keys, connection)
    return zip(events.sequences, events.rows).count { known.contains($0, $1) }
  }
}
