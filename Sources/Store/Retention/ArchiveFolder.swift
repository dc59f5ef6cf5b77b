import Glibc

/// Where single events go that are taken out of a database.
public enum ArchiveFolder {
  /// Its whole path, made where there is none; only its owner may read it, who is the database's where root makes it.
  public static func made(_ path: String, for database: String) throws(StoreError) -> String {
    let isNew = mkdir(path, 0o700) == 0
    guard isNew || errno == EEXIST, let whole = realpath(path, nil) else {
      throw StoreError(.refused(.noArchiveFolder(why: String(cString: strerror(errno)))), path: path)
    }
    defer { free(whole) }
    if isNew { FileOwner.hand(folder: path, toOwnerOf: database) }
    return String(cString: whole)
  }
}
