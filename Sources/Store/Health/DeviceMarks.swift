/// What is kept of single devices beside their histories: that these are impossible, or that their platform vouched for them.
enum DeviceMarks {
  /// In order of apps and devices.
  static func impossible(_ connection: borrowing Connection) throws(StoreError) -> [ImpossibleHistories.Device] {
    let rows = try connection.prepare(
      "SELECT i.device, n.text, i.rule, i.count FROM impossible i JOIN name n ON n.id = i.app"
    ).rows { row in
      ImpossibleHistories.Rule(rawValue: row.integer(2)).map { rule in
        ImpossibleHistories.Device(
          hash: UInt64(bitPattern: row.integer(0)), app: row.text(1), rule: rule, count: row.integer(3))
      }
    }
    return rows.compactMap(\.self).sorted { ($0.app, $0.hash) < ($1.app, $1.hash) }
  }

  /// What a device was found for first stays. Answers how many were not known.
  static func note(
    _ devices: [ImpossibleHistories.Device], _ connection: borrowing Connection
  ) throws(StoreError) -> Int {
    let insert = try connection.prepare(
      "INSERT OR IGNORE INTO impossible SELECT ?1, id, ?3, ?4 FROM name WHERE text = ?2 RETURNING 1")
    var found = 0
    for device in devices {
      found += try insert.rows(
        .integer(Int64(bitPattern: device.hash)), .text(device.app), .integer(device.rule.rawValue),
        .integer(device.count)
      ) { _ in true }.count
    }
    return found
  }

  static func remove(_ devices: Set<UInt64>, _ connection: borrowing Connection) throws(StoreError) {
    let impossible = try connection.prepare("DELETE FROM impossible WHERE device = ?")
    let attested = try connection.prepare("DELETE FROM attested WHERE device = ?")
    for device in devices {
      try impossible.run(.integer(Int64(bitPattern: device)))
      try attested.run(.integer(Int64(bitPattern: device)))
    }
  }
}

extension EventLog {
  /// Examines what came since the last time, with the million before it, and sets devices aside whose histories are
  /// impossible. Nobody waits for it but for what it writes. Answers how many devices were not known.
  @discardableResult
  public func setImpossibleAside() throws(StoreError) -> Int {
    var found = 0
    while let step = try examine(atMost: ImpossibleHistories.atOnce) { found += step.found }
    return found
  }

  /// A step of it: of so many events, the oldest ones. Answers how many devices were not known, and how many events are
  /// left; nil where there was nothing to examine.
  public func examine(
    atMost count: Int64 = ImpossibleHistories.atOnce
  ) throws(StoreError) -> (found: Int, left: Int64)? {
    let connection = try Connection(path: path, mode: .write)
    try Schema.requireCurrent(connection)
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA cache_size = -8192")
    let newest = try connection.integer("SELECT coalesce(max(seq), 0) FROM event")
    let (examined, generation) = (try Examined.read(connection), try Generation.read(connection))
    guard examined < newest else { return nil }
    let last = min(examined + count, newest)
    let devices = try ImpossibleHistories.devices(
      connection, among: max(0, last - ImpossibleHistories.atOnce)...last)
    let found = try exclusively { () throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        // A device may have been forgotten meanwhile: what was read of it is worth nothing then.
        guard try Generation.read(connection) == generation else { return 0 }
        try Examined.write(connection, last)
        return try DeviceMarks.note(devices, connection)
      }
    }
    return (found, newest - last)
  }
}

/// The number of the last event that was examined.
private enum Examined {
  static func read(_ connection: borrowing Connection) throws(StoreError) -> Int64 {
    try connection.integer("SELECT value FROM meta WHERE key = 'examined'")
  }

  static func write(_ connection: borrowing Connection, _ sequence: Int64) throws(StoreError) {
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('examined', ?)").run(.integer(sequence))
  }
}
