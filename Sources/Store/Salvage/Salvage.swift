import Glibc

/// What could be read of a damaged database, in a new one.
public struct Salvage: Sendable {
  public struct Rows: Sendable {
    public var name: String
    public var rows: Int
  }
  public var tables: [Rows] = []
  public var notes: [String] = []

  /// Leaves the damaged file and everything beside it as they are. Whatever the fold makes is made anew from the events.
  public static func run(_ path: String, into target: String) throws(StoreError) -> Salvage {
    if DurableFile.exists(target) { throw StoreError(.refused(.exists), path: target) }
    let (source, part) = (target + ".source", target + ".part")
    // What a killed run left beside them would be applied to the new files.
    remove([source, part])
    defer { remove([source, part]) }
    try copy(path, to: source)
    let scan = PageScan(try PageFile(path: source))
    let salvage = try fill(part, from: scan, deletions: DeletionLog.path(path))
    guard try DurableFile.renameAnew(part, to: target) else { throw StoreError(.refused(.exists), path: target) }
    return salvage
  }

  private static func remove(_ files: [String]) {
    for file in files { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(file + suffix) } }
  }

  /// With what the write-ahead log adds, as far as SQLite still takes it.
  private static func copy(_ path: String, to source: String) throws(StoreError) {
    for suffix in ["", "-wal"] where DurableFile.exists(path + suffix) {
      let file = try PartFile(source + suffix)
      _ = try Checksum.reading(path + suffix) { piece throws(StoreError) in try file.write(piece) }
    }
    if let connection = try? Connection(path: source, mode: .write) {
      try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  private static func fill(
    _ part: String, from scan: PageScan, deletions log: String
  ) throws(StoreError) -> Salvage {
    var (salvage, folded) = (Salvage(), Int64(0))
    let connection = try Connection(path: part, mode: .create)
    try connection.execute("PRAGMA page_size = 16384; PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF")
    try Schema.migrate(connection, .none)
    try connection.transaction { () throws(StoreError) in
      (salvage.tables, folded) = try takeOver(scan, connection)
    }
    if try IdentityKeys.load(connection) == nil {
      _ = try IdentityKeys.loadOrCreate(connection)
      salvage.notes.append("the keys that ids are hashed with are lost: devices that come again count as new ones")
    }
    try dropDangling(connection, &salvage)
    try salvage.tellMissing(connection, folded: folded)
    try putBackArchives(connection, deletions: log, &salvage)
    let folder = Folder(connection)
    try folder.foldAll()
    try Integrity.require(folder.connection)
    return salvage
  }

  /// The rows that can be read, and the event up to which the damaged file was folded.
  private static func takeOver(
    _ scan: PageScan, _ connection: borrowing Connection
  ) throws(StoreError) -> (tables: [Rows], folded: Int64) {
    var (counts, folded) = ([String: Int](), Int64(0))
    for table in SalvagedTable.all {
      let insert = try connection.prepare(joining: "INSERT OR IGNORE INTO ", table.name, " VALUES ", table.places)
      try scan.rows { name, record throws(StoreError) in
        if name == "meta" { folded = max(folded, record.eventMark) }
        guard name == table.name.description, table.takes(record) else { return }
        try insert.run(all: table.values(record))
        counts[name, default: 0] += 1
      }
    }
    return (SalvagedTable.all.map { Rows(name: "\($0.name)", rows: counts["\($0.name)"] ?? 0) }, folded)
  }

  /// Numbers of strings are given one after another; a damaged one may be anything.
  private static func dropDamagedNumbers(_ connection: borrowing Connection) throws(StoreError) {
    try connection.execute(
      """
      DELETE FROM context WHERE id NOT BETWEEN 1 AND 1000000 + 64 * (SELECT count(*) FROM context);
      DELETE FROM profile WHERE id NOT BETWEEN 1 AND 1000000 + 64 * (SELECT count(*) FROM profile);
      DELETE FROM release WHERE id NOT BETWEEN 1 AND 1000000 + 64 * (SELECT count(*) FROM release);
      DELETE FROM name WHERE id NOT BETWEEN 1 AND 1000000 + 64 * (SELECT count(*) FROM name);
      """)
  }

  /// Events whose strings are lost say nothing any more.
  private static func dropDangling(_ connection: borrowing Connection, _ salvage: inout Salvage) throws(StoreError) {
    try dropDamagedNumbers(connection)
    try connection.execute("DELETE FROM context WHERE profile NOT IN (SELECT id FROM profile)")
    try connection.execute(
      """
      DELETE FROM publication WHERE release NOT IN (SELECT id FROM release);
      DELETE FROM rollout_step WHERE publication NOT IN (SELECT id FROM publication);
      DELETE FROM event WHERE context NOT IN (SELECT id FROM context)
        OR coalesce(release, 0) NOT IN (SELECT id FROM release UNION SELECT 0)
      """)
    let kept = Int(try connection.integer("SELECT count(*) FROM event"))
    let read = salvage.tables.first { $0.name == "event" }?.rows ?? 0
    if kept < read { salvage.notes.append("\(read - kept) events were dropped: the strings they mention are lost") }
  }
}

/// A table whose rows are taken over; everything else is made from them.
private struct SalvagedTable: Sendable {
  var name: StaticString
  var columns: Int
  /// Of rows that were written before a column was added.
  var atLeast: Int?
  var places: StaticString

  static let all = [
    SalvagedTable(name: "meta", columns: 2, places: "(?,?)"), SalvagedTable(name: "name", columns: 2, places: "(?,?)"),
    SalvagedTable(name: "profile", columns: 8, atLeast: 7, places: "(?,?,?,?,?,?,?,?)"),
    SalvagedTable(name: "context", columns: 5, places: "(?,?,?,?,?)"),
    SalvagedTable(name: "release", columns: 3, places: "(?,?,?)"),
    SalvagedTable(name: "publication", columns: 6, places: "(?,?,?,?,?,?)"),
    SalvagedTable(name: "rollout_step", columns: 3, places: "(?,?,?)"),
    SalvagedTable(name: "key", columns: 10, atLeast: 7, places: "(?,?,?,?,?,?,?,?,?,?)"),
    SalvagedTable(name: "audit", columns: 7, places: "(?,?,?,?,?,?,?)"),
    SalvagedTable(name: "forgotten", columns: 2, places: "(?,?)"),
    SalvagedTable(name: "impossible", columns: 4, places: "(?,?,?,?)"),
    SalvagedTable(name: "attested", columns: 3, places: "(?,?,?)"),
    SalvagedTable(name: "remembered_channel", columns: 2, places: "(?,?)"),
    SalvagedTable(name: "remembered_release", columns: 2, places: "(?,?)"),
    SalvagedTable(name: "removed", columns: 8, places: "(?,?,?,?,?,?,?,?)"),
    SalvagedTable(name: "event", columns: 16, places: "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
  ]

  /// With null for columns that were added later, and the row's number where it is a column.
  func values(_ record: PageRecord) -> [Value] {
    var values = record.values
    while values.count < columns { values.append(.null) }
    if let rowID = record.rowID, case .null = values[0] { values[0] = .integer(rowID) }
    return values
  }

  /// Of `meta` only the secret keys, that access needs a key, when keys were used, and which archives are its own: positions and
  /// marks are of a file that is no more.
  func takes(_ record: PageRecord) -> Bool {
    guard ((atLeast ?? columns)...columns).contains(record.values.count) else { return false }
    guard name.description == "meta" else { return true }
    guard case .text(let name) = record.values[0] else { return false }
    return ["identity_keys", "keyed"].contains(name) || name.hasPrefix("archive ") || name.hasPrefix(KeyUses.prefix)
  }
}
