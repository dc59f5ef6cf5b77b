import CPageChecksums
import Glibc

extension Connection {
  /// A consistent copy of everything that is committed, as a whole file under its name or not at all.
  ///
  /// Others read and write meanwhile. The copy is written anew table by table, so it holds no remnants of removed rows.
  /// - Parameters:
  ///   - owner: as of `PartFile`.
  ///   - check: sees the finished copy before it gets its name.
  func copy(
    to target: String, ownedLike owner: String? = nil, check: (String) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) {
    let part = target + ".part"
    let file = try PartFile(part, ownedLike: owner)
    do throws(StoreError) {
      page_checksums_expect(try PageChecksums.areOn(self) ? 1 : 0)
      defer { page_checksums_expect(0) }
      try prepare("VACUUM INTO ?").run(.text(part))
      try check(part)
      try DurableFile.rename(part, to: target)
    } catch {
      for left in [part, part + "-journal"] { unlink(left) }
      // SQLite names the file that is read, which may lie on another disk.
      if error.kind == .full { throw StoreError(.full, path: target, reason: error.reason) }
      throw error
    }
    _ = file
  }
}
