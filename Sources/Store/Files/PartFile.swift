import Glibc

/// An empty file that only its owner reads, in the making: locked while it is, and what a killed program left is emptied.
/// A link is not followed: in a folder that others may write to it could lead to any file of ours.
struct PartFile: ~Copyable {
  let descriptor: Int32
  let path: String

  /// - Parameter owner: the file or folder whose owner it belongs to where root makes it; nil: whoever runs it.
  init(_ path: String, ownedLike owner: String? = nil) throws(StoreError) {
    let opened = open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard opened >= 0 else {
      let failure = DurableFile.failure(path)
      guard !DurableFile.isFolder(DurableFile.directory(of: path)) else { throw failure }
      throw StoreError(.missingDirectory, path: Self.target(path))
    }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      close(opened)
      throw StoreError(.locked, path: path, reason: "another program is writing it")
    }
    guard ftruncate(opened, 0) == 0, fchmod(opened, 0o600) == 0 else {
      close(opened)
      throw DurableFile.failure(path)
    }
    if let owner { FileOwner.hand(opened, toOwnerOf: owner) }
    descriptor = opened
    self.path = path
  }

  deinit { close(descriptor) }

  /// What it is called once it is whole.
  private static func target(_ path: String) -> String { path.hasSuffix(".part") ? String(path.dropLast(5)) : path }

  func write(_ bytes: [UInt8]) throws(StoreError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw DurableFile.failure(path) }
      written += count
    }
  }
}
