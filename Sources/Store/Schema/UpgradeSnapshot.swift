import Locks

/// Whether a file is copied before its tables change.
enum UpgradeSnapshot {
  case none
  case whereThereIsRoom
  /// With so many bytes free; for tests.
  case within(Int)

  /// Leaves `FILE.schema-N` beside the file: whole, or not there at all.
  func take(_ connection: borrowing Connection, version: Int) throws(StoreError) {
    let free: Int
    switch self {
    case .none: return
    case .whereThereIsRoom: free = DiskSpace.free(connection.path)
    case .within(let bytes): free = bytes
    }
    let pages = try connection.integer("PRAGMA page_count")
    let size = Int(pages * (try connection.integer("PRAGMA page_size")))
    // Where the file is written anew, its log holds it whole as well.
    let needed = (version < 7 ? 2 * size : size) + Self.margin
    guard free >= needed else {
      throw StoreError(.noRoomForSnapshot(needed: needed, free: free), path: connection.path)
    }
    try connection.copy(to: Self.path(connection.path, version: version), ownedLike: connection.path)
  }

  static func path(_ database: String, version: Int) -> String { "\(database).schema-\(version)" }

  /// For the write-ahead log of the upgrade itself.
  private static let margin = 8 << 20
}

/// Brings a database to the newest schema.
public enum Upgrade {
  /// - Returns: the version before and after.
  public static func run(path: String, snapshot: Bool) throws(StoreError) -> (from: Int, to: Int) {
    let connection = try Connection(path: path, mode: .write)
    let found = try Schema.check(connection)
    if found == 0 { throw StoreError(.emptyFile, path: path) }
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    try Schema.migrate(connection, snapshot ? .whereThereIsRoom : .none)
    return (found, Schema.known)
  }

  /// What opening a file for writing did on the way.
  public struct Done: Sendable {
    public var path: String
    public var from: Int
    public var to: Int
  }

  private static let observer = Lock<(@Sendable (Done) -> Void)?>(nil)

  /// Named by whoever can tell people: older programs refuse the file from then on.
  public static func observe(_ body: @escaping @Sendable (Done) -> Void) { observer.withLock { $0 = body } }

  static func tell(_ done: Done) { observer.withLock { $0 }?(done) }

  /// Where the copy of a file of that version lies.
  public static func snapshotPath(_ path: String, version: Int) -> String {
    UpgradeSnapshot.path(path, version: version)
  }

  /// Copies that upgrades left beside a file and that are still there: they hold what was taken out of it since.
  public static func copies(of path: String) -> [String] {
    (1..<Schema.known).map { snapshotPath(path, version: $0) }.filter { DurableFile.exists($0) }
  }
}
