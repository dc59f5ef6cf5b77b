import Lifecycle

/// What devices share with others: counts of late arrivals, first sightings, strings.
extension DeviceTrace {
  /// Takes the devices' share off, and finds the first sightings of the others where theirs were first.
  ///
  /// - Parameter isWhole: whether every archive can be read.
  func settleSightings(
    _ keys: IdentityKeys, isWhole: Bool, _ connection: borrowing Connection
  ) throws(StoreError) {
    let origins = try Origins(connection)
    let dropped = try connection.integer("SELECT EXISTS (SELECT 1 FROM removed WHERE state > 0 AND archive IS NULL)")
    let isAllThere = isWhole && dropped == 0
    if isPartlyGone, isAllThere {
      let others = try othersSightings(nil, origins, keys, connection)
      try connection.execute("DELETE FROM sighting; DELETE FROM lag")
      return try others.store(connection)
    }
    var gone = try Sightings(connection)
    for event in folded { gone.add(event, origins) }
    try gone.takeOffLags(connection)
    let first = try theirFirsts(gone, connection)
    guard !first.isEmpty else { return }
    if isAllThere {
      try replace(first, by: othersSightings(Set(first.map(\.release)), origins, keys, connection), connection)
    } else {
      try removeUnseen(first, connection)
    }
  }

  /// Where nobody was earlier than they.
  private func theirFirsts(
    _ gone: Sightings, _ connection: borrowing Connection
  ) throws(StoreError) -> [Sightings.Place] {
    let select = try connection.prepare(
      """
      SELECT first_at >= ?4 OR coalesce(first_subject_at >= ?5, 0) FROM sighting
      WHERE release = ?1 AND channel = ?2 AND platform = ?3
      """)
    var places: [Sightings.Place] = []
    for (place, first) in gone.firsts {
      let isFirst = try select.first(
        .integer(place.release), .integer(place.channel), .integer(place.platform), .integer(first.any),
        .integer(first.subject)
      ) { $0.integer(0) != 0 }
      if isFirst ?? false { places.append(place) }
    }
    return places
  }

  /// By everything that is left, in the table and in archives.
  ///
  /// - Parameter releases: nil for whatever is counted.
  private func othersSightings(
    _ releases: Set<Int64>?, _ origins: Origins, _ keys: IdentityKeys, _ connection: borrowing Connection
  ) throws(StoreError) -> Sightings {
    var others = try Sightings(connection)
    try FoldRows().each(connection, after: 0, upTo: watermark) { event, received in
      guard let event, releases?.contains(Int64(event.release)) ?? true, let origin = origins.origin(event.context)
      else { return }
      others.add(event, received: received, origin)
    }
    for removed in try Removed.all(connection) where removed.state != .planned {
      guard let path = removed.archive else { continue }
      let archived = try Archive.load(path, keys)
      for (sequence, row) in zip(archived.sequences, archived.rows)
      where (releases?.contains(row.release) ?? true) && !devices.contains(UInt64(bitPattern: row.device)) {
        others.add(Traced(sequence: sequence, row: row, isInTable: false), origins)
      }
    }
    return others
  }

  private func replace(
    _ places: [Sightings.Place], by others: Sightings, _ connection: borrowing Connection
  ) throws(StoreError) {
    let delete = try connection.prepare("DELETE FROM sighting WHERE release = ? AND channel = ? AND platform = ?")
    let insert = try connection.prepare("INSERT INTO sighting VALUES (?, ?, ?, ?, ?)")
    let firsts = Dictionary(uniqueKeysWithValues: others.firsts.map { ($0, $1) })
    for place in places {
      try delete.run(.integer(place.release), .integer(place.channel), .integer(place.platform))
      guard let first = firsts[place] else { continue }
      try insert.run(
        .integer(place.release), .integer(place.channel), .integer(place.platform), .integer(first.any),
        first.subject == .max ? .null : .integer(first.subject))
    }
  }

  /// Events that were dropped may have been earlier: a first sighting stays while anybody has a journey there.
  private func removeUnseen(_ places: [Sightings.Place], _ connection: borrowing Connection) throws(StoreError) {
    let delete = try connection.prepare(
      """
      DELETE FROM sighting WHERE release = ?1 AND channel = ?2
        AND NOT EXISTS (SELECT 1 FROM journey WHERE release = ?1 AND channel = ?2)
      """)
    for place in places { try delete.run(.integer(place.release), .integer(place.channel)) }
  }

  /// Removes strings that nobody else used. Where single events left the table nobody can tell, and they stay.
  func removeWhatOnlyTheySaid(_ connection: borrowing Connection) throws(StoreError) {
    guard try !Removed.any(connection) else { return }
    let contexts = Set(events.map(\.row.context))
    var names = Set(events.map(\.row.reason)).subtracting([EventRow.none])
    let parts = try connection.prepare(
      """
      SELECT p.id, a.id, h.id, coalesce(n.id, 0) FROM context c JOIN profile p ON p.id = c.profile
        JOIN name a ON a.text = c.app JOIN name h ON h.text = c.channel LEFT JOIN name n ON n.text = p.platform
      WHERE c.id = ?
      """)
    let dropContext = try connection.prepare(
      "DELETE FROM context WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM event WHERE context = ?1)")
    let dropProfile = try connection.prepare(
      "DELETE FROM profile WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM context WHERE profile = ?1)")
    for context in contexts {
      let used = try parts.first(.integer(context)) { row in (0..<4).map { row.integer($0) } } ?? []
      try dropContext.run(.integer(context))
      if let profile = used.first { try dropProfile.run(.integer(profile)) }
      names.formUnion(used.dropFirst())
    }
    try removeNames(names, connection)
    try removeReleases(Set(events.flatMap { [$0.row.release, $0.row.from] }), connection)
  }

  private func removeNames(_ names: Set<Int64>, _ connection: borrowing Connection) throws(StoreError) {
    let drop = try connection.prepare(
      """
      DELETE FROM name WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM context WHERE app = text OR channel = text)
        AND NOT EXISTS (SELECT 1 FROM profile WHERE platform = text)
        AND NOT EXISTS (SELECT 1 FROM event WHERE reason = ?1)
      """)
    for name in names { try drop.run(.integer(name)) }
  }

  private func removeReleases(_ releases: Set<Int64>, _ connection: borrowing Connection) throws(StoreError) {
    let drop = try connection.prepare(
      """
      DELETE FROM release WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM publication WHERE release = ?1)
        AND NOT EXISTS (SELECT 1 FROM event WHERE release = ?1 OR from_release = ?1)
      """)
    for release in releases where release != EventRow.none { try drop.run(.integer(release)) }
  }
}

extension Sightings {
  /// Of events that are numbered as the database has it.
  init(of rows: [EventRow], _ connection: borrowing Connection) throws(StoreError) {
    try self.init(connection)
    let origins = try Origins(connection)
    for row in rows { add(DeviceTrace.Traced(sequence: 0, row: row, isInTable: true), origins) }
  }

  /// Their share of the counts of late arrivals.
  func takeOffLags(_ connection: borrowing Connection) throws(StoreError) {
    let find = try connection.prepare("SELECT events FROM lag WHERE app = ?1 AND day = ?2 AND seconds = ?3")
    let lag = try connection.prepare("UPDATE lag SET events = events - ?4 WHERE app = ?1 AND day = ?2 AND seconds = ?3")
    for (place, count) in lags {
      var left = count
      // Earlier programs counted them in coarser steps.
      for seconds in [place.seconds, Self.asBefore(place.seconds)] where left > 0 {
        let row: [Value] = [.integer(place.app), .integer(place.day), .integer(seconds)]
        let taken = min(left, try find.first(all: row) { $0.integer(0) } ?? 0)
        try lag.run(all: row + [.integer(taken)])
        left -= taken
      }
    }
    try connection.execute("DELETE FROM lag WHERE events <= 0")
  }

  fileprivate mutating func add(_ traced: DeviceTrace.Traced, _ origins: Origins) {
    guard let event = FoldEvent(traced.row, traced.sequence), let origin = origins.origin(event.context) else { return }
    let received = traced.row.received
    add(event, received: received == EventRow.none ? nil : Timestamp(stored: received), origin)
  }
}

extension FoldEvent {
  /// nil where this program does not know the stage or the trigger.
  fileprivate init?(_ row: EventRow, _ sequence: Int64) {
    guard let stage = UInt8(exactly: row.stage).flatMap({ Stage(code: $0) }),
      let trigger = UInt8(exactly: row.trigger).flatMap({ Trigger(code: $0) })
    else { return nil }
    self.init(
      device: UInt64(bitPattern: row.device), at: Timestamp(stored: row.at), push: 0,
      block: TrailPlace.block(sequence),
      context: Int32(truncatingIfNeeded: row.context),
      release: row.release == EventRow.none ? 0 : Int32(truncatingIfNeeded: row.release),
      reason: row.reason == EventRow.none ? 0 : Int32(truncatingIfNeeded: row.reason), milliseconds: -1, stage: stage,
      trigger: trigger, outcome: nil, namedBucket: -1)
  }
}
