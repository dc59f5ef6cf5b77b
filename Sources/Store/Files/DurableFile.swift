import CSQLite
import Glibc

/// Files that must be there after a power loss.
enum DurableFile {
  /// Both the contents and the new name are on disk when this returns.
  static func rename(_ path: String, to target: String) throws(StoreError) {
    try sync(path)
    guard Glibc.rename(path, target) == 0 else { throw failure(target) }
    try sync(directory(of: target))
  }

  /// Likewise; false, and nothing is changed, where a file of the new name is there.
  static func renameAnew(_ path: String, to target: String) throws(StoreError) -> Bool {
    try sync(path)
    if renameat2(AT_FDCWD, path, AT_FDCWD, target, uptake_rename_noreplace) != 0 {
      switch errno {
      case EEXIST: return false
      case EINVAL, ENOSYS: if try !link(path, to: target) { return false }
      default: throw failure(target)
      }
    }
    try sync(directory(of: target))
    return true
  }

  /// For file systems that cannot rename like that, as NFS: a second name is never made over a first either.
  private static func link(_ path: String, to target: String) throws(StoreError) -> Bool {
    if Glibc.link(path, target) != 0 {
      if errno == EEXIST { return false }
      throw failure(target)
    }
    unlink(path)
    return true
  }

  static func sync(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(path) }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether nothing is there for certain: of a folder that cannot be looked into nobody knows.
  static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR) }

  /// Whether anything has the name, were it a link that leads nowhere.
  static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Whether two names are of one file.
  static func areOne(_ path: String, _ other: String) -> Bool {
    var (one, two) = (stat(), stat())
    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// What a folder holds, in no order; nil, with `errno`, where it cannot be read.
  static func names(in folder: String) -> [String]? {
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The error that the system just reported.
  static func failure(_ path: String) -> StoreError {
    let (number, words) = (errno, String(cString: strerror(errno)))
    let kind: StoreError.Kind =
      switch number {
      case ENOENT: .missingFile
      case EACCES, EPERM, EROFS: .readOnly
      case ENOSPC, EDQUOT: .full
      default: .inputOutput
      }
    return StoreError(kind, path: path, reason: words)
  }
}

/// Which file a path leads to, whatever it is called meanwhile; nil where there is none.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}

/// A database with what lies beside it, as it was opened. What was not there then is not missed.
struct OpenedFiles {
  private let path: String
  private let database, log, index: FileIdentity?

  init(_ path: String) {
    self.path = path
    database = FileIdentity(path)
    log = FileIdentity(path + BesideDatabase.log.rawValue)
    index = FileIdentity(path + BesideDatabase.index.rawValue)
  }

  /// What is not where it was.
  var moved: StoreError.Moved? {
    let now = OpenedFiles(path)
    if database != now.database { return .database }
    if log != nil, log != now.log { return .log }
    return index != nil && index != now.index ? .index : nil
  }
}
