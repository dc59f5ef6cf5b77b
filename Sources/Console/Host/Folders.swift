internal import Glibc

/// Makes the folder that a file lies in, with all above it; new ones are their owner's alone.
public func makeFolder(of path: String) throws(Failure) {
  let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
  guard !folder.isEmpty, unsafe access(folder, F_OK) != 0 else { return }
  try makeFolder(of: folder)
  guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
    throw systemFailure("no_directory", "cannot create \(folder)", errno)
  }
}
