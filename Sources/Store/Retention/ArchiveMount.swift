/// Where the disk of a folder of archives was mounted when the last run ended: a disk that is away is not written below.
struct ArchiveMount {
  let folder: String
  private var key: String { "archive_mount " + folder }

  /// Throws where it was mounted and is not any more. Services see mounts of their own: where archives are there, so is their disk.
  func require(_ connection: borrowing Connection) throws(StoreError) {
    let select = try connection.prepare("SELECT value FROM meta WHERE key = ?")
    guard let mount = try select.first(.text(key), row: { $0.text(0) }), isAway(mount), try !hasArchives(connection)
    else { return }
    throw StoreError(.refused(.archiveDiskAway(mount: mount)), path: folder)
  }

  func note(_ connection: borrowing Connection) throws(StoreError) {
    guard let mount = MountPoint.of(folder) else { return }
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(.text(key), .text(mount))
  }

  private func isAway(_ mount: String) -> Bool {
    let mounts = MountPoint.all()
    return !mounts.isEmpty && !mounts.contains(mount)
  }

  private func hasArchives(_ connection: borrowing Connection) throws(StoreError) -> Bool {
    try Removed.all(connection).compactMap(\.archive).contains {
      DurableFile.directory(of: $0) == folder && DurableFile.exists($0)
    }
  }
}
