/// Where the disk of a folder of archives was mounted when the last one was written, and which part of it: a disk that is away is not
/// written below.
struct ArchiveMount {
  let folder: String
  private var key: String { Self.prefix + folder }

  private static let prefix = "archive_mount "

  /// All that archives were ever written to.
  static func folders(_ connection: borrowing Connection) throws(StoreError) -> [String] {
    try connection.prepare("SELECT key FROM meta WHERE key LIKE 'archive_mount %'").rows {
      String($0.text(0).dropFirst(prefix.count))
    }
  }

  /// Throws where it was mounted and is not any more. Services see mounts of their own: where archives are there, so is their disk.
  func require(_ connection: borrowing Connection) throws(StoreError) {
    guard let mount = try away(connection) else { return }
    throw StoreError(.refused(.archiveDiskAway(mount: mount)), path: folder)
  }

  /// Where it was mounted, and is not any more.
  func away(_ connection: borrowing Connection) throws(StoreError) -> String? {
    let select = try connection.prepare("SELECT value FROM meta WHERE key = ?")
    guard let known = try select.first(.text(key), row: { $0.text(0) }), isAway(known), try !hasNewest(connection)
    else { return nil }
    return String(known.prefix { $0 != "\n" })
  }

  func note(_ connection: borrowing Connection) throws(StoreError) {
    guard let mount = MountPoint.of(folder), let part = MountPoint.parts()[mount] else { return }
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(
      .text(key), .text(mount + "\n" + part))
  }

  /// Another machine has other disks.
  static func leave(_ connection: borrowing Connection) throws(StoreError) {
    try connection.execute("DELETE FROM meta WHERE key LIKE 'archive_mount %'")
  }

  /// Only a whole file system is a disk: a folder that a unit binds onto itself is mounted for its service alone.
  private func isAway(_ known: String) -> Bool {
    let parts = MountPoint.parts()
    return known.hasSuffix("\n/") && !parts.isEmpty && !parts.contains { $0 + "\n" + $1 == known }
  }

  private func hasNewest(_ connection: borrowing Connection) throws(StoreError) -> Bool {
    let newest = try Removed.all(connection).compactMap(\.archive).last { DurableFile.directory(of: $0) == folder }
    return newest.map(DurableFile.exists) ?? false
  }
}
