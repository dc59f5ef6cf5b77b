import Glibc

/// Archives as files: how they are told, named and put in place.
extension Archive {
  /// Whether a file begins like an archive.
  static func isOne(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: 8)
    return Glibc.read(descriptor, &start, 8) == 8 && (start == magic || start == magicWithTraits)
  }

  /// What was removed into an archive, where its file can be read and is whole; nil where not.
  static func readable(_ path: String?, _ keys: IdentityKeys) -> ArchivedEvents? {
    path.flatMap { path in try? load(path, keys) }
  }

  /// Where nothing is yet: after an older backup was restored, numbers are given anew, and an archive of that name may
  /// hold the only copy of what was stored after the backup.
  static func freePath(_ stem: String) -> String {
    let candidates = (1...).lazy.map { $0 == 1 ? stem + ".uptk" : "\(stem)-\($0).uptk" }
    return candidates.first { !DurableFile.isTaken($0) } ?? stem + ".uptk"
  }

  /// On disk and under its name when this returns, in place of what is there.
  ///
  /// - Parameter owner: as of `PartFile`.
  static func save(_ bytes: [UInt8], at path: String, ownedLike owner: String? = nil) throws(StoreError) {
    let part = try PartFile(path + ".part", ownedLike: owner)
    try part.write(bytes)
    try DurableFile.rename(part.path, to: path)
    _ = part
  }
}

/// An archive that is on disk under another name, to be put in its place by whoever holds the database's write lock.
struct ArchivePart: ~Copyable {
  let digest: [UInt8]
  let count: Int
  private let file: PartFile

  /// - Parameter owner: as of `PartFile`.
  init(_ bytes: [UInt8], for path: String, ownedLike owner: String? = nil) throws(StoreError) {
    let file = try PartFile(path + ".part", ownedLike: owner)
    try file.write(bytes)
    try DurableFile.sync(file.path)
    (digest, count) = (Archive.digest(of: bytes), bytes.count)
    self.file = file
  }

  /// In the place of nothing, or of what an interrupted run of the same removal left.
  ///
  /// - Returns: false where another file has the name; nothing is changed then.
  func place(for removed: Removed, at path: String, _ keys: IdentityKeys) throws(StoreError) -> Bool {
    if try DurableFile.renameAnew(file.path, to: path) { return true }
    guard removed.left(Archive.readable(path, keys)) else { return false }
    try DurableFile.rename(file.path, to: path)
    return true
  }

  /// Gives up: nothing of it stays.
  func discard() { unlink(file.path) }

  /// Removes what a killed run left, unless another is writing it.
  static func discard(leftOf path: String) {
    guard DurableFile.exists(path + ".part"), let file = try? PartFile(path + ".part") else { return }
    unlink(file.path)
  }
}
