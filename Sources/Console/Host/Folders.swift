internal import Glibc

/// Makes the folder that a file lies in, with all above it; new ones are their owner's alone, unless `mode` says else.
public func makeFolder(of path: String, mode: UInt32 = 0o700) throws(Failure) {
  let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
  guard !folder.isEmpty, unsafe access(folder, F_OK) != 0 else { return }
  try makeFolder(of: folder, mode: mode)
  guard unsafe mkdir(folder, mode) == 0 || errno == EEXIST else {
    throw systemFailure("no_directory", "cannot create \(folder)", errno)
  }
}

/// The names in a folder, in order; nil where the path is none, or must not be read.
public func names(in folder: String) -> [String]? {
  guard let stream = unsafe opendir(folder) else { return nil }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while let entry = unsafe readdir(stream) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

public func isSymbolicLink(_ path: String) -> Bool {
  var status = stat()
  return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// Removes a folder with all below it, or a file; a link, not what it leads to. What cannot be removed stays.
public func removeTree(_ path: String) {
  if !isSymbolicLink(path) { for name in names(in: path) ?? [] { removeTree(path + "/" + name) } }
  _ = unsafe remove(path)
}
