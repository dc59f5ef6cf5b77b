/// Archives in the folders of a database that no retention of it names: their events were put back, or they were written after the backup
/// that was restored. Who is forgotten stays in them.
enum StrayArchives {
  /// nil where there is none.
  static func first(_ connection: borrowing Connection, _ keys: IdentityKeys) throws(StoreError) -> String? {
    let named = Set(try Removed.all(connection).compactMap(\.archive))
    let folders = Set(named.map(DurableFile.directory(of:))).union(try ArchiveMount.folders(connection))
    return folders.sorted().lazy.flatMap(files).first {
      !named.contains($0) && Archive.isOne($0) && Archive.readable($0, keys) != nil
    }
  }

  private static func files(_ folder: String) -> [String] {
    (DurableFile.names(in: folder) ?? []).filter { $0.hasSuffix(".uptk") }.map { "\(folder)/\($0)" }.sorted()
  }
}
