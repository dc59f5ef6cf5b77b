public import Lifecycle

/// What was removed of the devices that were named.
public struct Forgotten: Equatable, Sendable {
  /// Of how many there was anything at all.
  public var devices = 0
  /// Single events, those in archives included.
  public var events = 0
  /// Whether the write-ahead log is empty too, so that nothing of them is left in any file.
  public var isComplete = true
}

extension Forgotten {
  /// How many, never which.
  var auditFacts: [AuditEntry.Fact?] {
    [.init("devices", Int64(devices)), .init("events", Int64(events))]
  }
}

/// Removes everything about some devices, as if they had never been there.
///
/// One transaction takes their events, their rows in every packed shard, what only they mentioned, and their share of
/// counts and first sightings. Archives are written anew beside the old ones before, and take their places after.
struct Forgetting: ~Copyable {
  let connection: Connection
  let keys: IdentityKeys

  init(path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA foreign_keys = ON")
    try Schema.requireCurrent(connection)
    keys = try IdentityKeys.required(connection)
    self.connection = connection
  }

  /// The caller sees to it that nobody else writes meanwhile, or leaves it to SQLite's lock.
  ///
  /// - Parameter isWhole: whether every archive can be read; else counts are settled as where events were dropped.
  func forget(
    _ devices: Set<UInt64>, _ entries: [DeletionLog.Entry], isWhole: Bool = true,
    noting note: (Forgotten, borrowing Connection) throws(StoreError) -> Void
  ) throws(StoreError) -> Forgotten {
    var result = Forgotten()
    try connection.transaction { () throws(StoreError) in
      try ArchiveSwap.finish(connection)
      try Folder.finishMerging(connection)
      var trace = try DeviceTrace(devices, connection)
      try trace.readArchives(keys, connection)
      result.events = trace.events.count
      result.devices =
        Set(trace.events.map(\.row.device)).union(try known(devices)).union(try removeWords(devices)).count
      try removeEvents(trace)
      try DeviceMarks.remove(devices, connection)
      try PackedRemoval.remove(devices, connection)
      try trace.settleSightings(keys, isWhole: isWhole, connection)
      try trace.removeWhatOnlyTheySaid(connection)
      let remember = try connection.prepare("INSERT OR IGNORE INTO forgotten VALUES (?, ?)")
      for entry in entries { try remember.run(.blob(entry.digest), .integer(entry.at)) }
      try trace.countArchives(connection)
      try UnforgottenDevices.note(devices, connection)
      if result.devices > 0 { try Generation.advance(connection) }
      try note(result, connection)
    }
    try ArchiveSwap.finish(connection)
    return result
  }

  /// Answers those of which one was remembered: of who only asked for updates nothing else is known.
  private func removeWords(_ devices: Set<UInt64>) throws(StoreError) -> [Int64] {
    var found: [Int64] = []
    for table in RememberedWords.Table.allCases {
      let delete = try connection.prepare(
        joining: "DELETE FROM ", table.name, " WHERE device = ? RETURNING device")
      for device in devices { found += try delete.rows(.integer(Int64(bitPattern: device))) { $0.integer(0) } }
    }
    return found
  }

  private func removeEvents(_ trace: DeviceTrace) throws(StoreError) {
    try EventSequence.keep(connection)
    let delete = try connection.prepare("DELETE FROM event WHERE seq = ?")
    for event in trace.events where event.isInTable { try delete.run(.integer(event.sequence)) }
  }

  /// Those that a trail names, though their single events may be gone.
  private func known(_ devices: Set<UInt64>) throws(StoreError) -> [Int64] {
    try Trails.stretches(devices, connection).map { Int64(bitPattern: $0.device) }
  }

  func hasForgotten() throws(StoreError) -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM forgotten)") != 0
  }

  /// Leaves no copy of removed rows in the write-ahead log, or in parts of the file that an older program left unclean.
  func scrub() throws(StoreError) -> Bool {
    if try Remnants.mayExist(connection) {
      try connection.execute("VACUUM")
      try Remnants.noneSinceCreation(connection)
    }
    return try connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").first { $0.integer(0) == 0 } ?? true
  }
}

extension EventLog {
  /// Forgets devices of an app beside the appends. They are written down first, so that an interruption is made good later.
  public func forget(
    _ devices: [DeviceHash], of app: String? = nil, by author: Author = .thisUser, now: Timestamp
  ) throws(StoreError) -> Forgotten {
    let forgetting = try Forgetting(path: path)
    let wanted = Set(devices.map(\.rawValue))
    let entries = wanted.map { DeletionLog.Entry(digest: DeletionLog.digest($0, forgetting.keys), at: now.rawValue) }
    try DeletionLog.append(entries, database: path)
    return try finish(forgetting) { () throws(StoreError) in
      try forgetting.forget(wanted, entries) { forgotten, connection throws(StoreError) in
        try AuditEntry.write(.forget, by: author, at: now, app: app, forgotten.auditFacts, connection)
      }
    }
  }

  /// Whether anything is known of a device.
  public func knows(_ device: DeviceHash) throws(StoreError) -> Bool {
    let connection = try Connection(path: path, mode: .read)
    return try connection.snapshot { () throws(StoreError) in
      if try !Trails.stretches([device.rawValue], connection).isEmpty { return true }
      let select = try connection.prepare(
        """
        SELECT 1 FROM event WHERE seq > ?1 AND device = ?2
        UNION ALL SELECT 1 FROM remembered_channel WHERE device = ?2
        UNION ALL SELECT 1 FROM remembered_release WHERE device = ?2 LIMIT 1
        """)
      let watermark = try Watermark.read(connection)
      return try select.first(.integer(watermark), .integer(Int64(bitPattern: device.rawValue))) { _ in true } ?? false
    }
  }

  /// Forgets what the deletion log beside the database names and the database has not forgotten yet.
  ///
  /// - Throws: why an archive cannot be read that devices of the log may be in, once all others are forgotten.
  public func finishForgetting(now: Timestamp) throws(StoreError) -> Int {
    let forgetting = try Forgetting(path: path)
    var reason: StoreError?
    let result = try finish(forgetting) { () throws(StoreError) in
      let replay = try forgetting.replay([DeletionLog.path(path)], now: now)
      reason = replay.reason
      return replay.forgotten
    }
    if result.devices == 0, try forgetting.hasForgotten() { _ = try forgetting.scrub() }
    if let reason { throw reason }
    return result.devices
  }

  private func finish(
    _ forgetting: borrowing Forgetting, _ body: () throws(StoreError) -> Forgotten
  ) throws(StoreError) -> Forgotten {
    var result = Forgotten()
    try exclusively { () throws(StoreError) in
      result = try body()
      if result.devices > 0 { result.isComplete = try forgetting.scrub() }
    }
    return result
  }
}
