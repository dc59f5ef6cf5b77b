public import Lifecycle

extension Snapshot {
  /// How every receiver stands that was ever to be told something, in order of name.
  public func exportStandings() throws(StoreError) -> [ExportStanding] { try ExportStanding.all(connection) }

  /// When the database was last copied with `uptake backup`; nil where it never was.
  public func lastBackup() throws(StoreError) -> Timestamp? {
    let made = try connection.integer("SELECT value FROM meta WHERE key = 'backup'")
    return made > 0 ? Timestamp(stored: made) : nil
  }

  /// How far a continuous copy is; nil where none was ever kept.
  public var copyStanding: CopyStanding? { isFile ? CopyStanding.of(connection.path) : nil }

  /// A continuous copy was begun, and nothing of it was ever confirmed.
  public var isCopyOnlyBegun: Bool { isFile && CopyStanding.isOnlyBegun(connection.path) }
}
