internal import Glibc

/// Bytes of a file; 0 where there is none.
func fileSize(_ path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// Bytes that are free for us on the disk of a file; `.max` where nobody can tell.
func freeSpace(_ path: String) -> Int {
  var status = statvfs()
  guard statvfs(path, &status) == 0 else { return .max }
  return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
}
