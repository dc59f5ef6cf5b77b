import Glibc

/// Where single events go that are taken out of a database.
public enum ArchiveFolder {
  /// Its whole path, made where there is none; only its owner may read it.
  public static func made(_ path: String) throws(StoreError) -> String {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST, let whole = realpath(path, nil) else {
      throw StoreError(.refused(.noArchiveFolder(why: String(cString: strerror(errno)))), path: path)
    }
    defer { free(whole) }
    return String(cString: whole)
  }
}
