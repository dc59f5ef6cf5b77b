import Glibc
public import Lifecycle

/// `FILE.copy`, beside a database that is copied: held by the one process that copies it, and what is known of the copy.
struct CopyClaim: ~Copyable {
  private let descriptor: Int32
  /// Of the database's file, so that a file that was copied along with this one does not go on with another's copy.
  private let owner: String

  static func path(_ database: String) -> String { database + ".copy" }

  init(database: String) throws(StoreError) {
    let path = Self.path(database)
    let opened = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { throw DurableFile.failure(path) }
    FileOwner.hand(opened, toOwnerOf: database)
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      close(opened)
      throw .copy(.alreadyCopied, database)
    }
    (descriptor, owner) = (opened, Self.owner(database))
  }
  deinit { close(descriptor) }

  private static func owner(_ database: String) -> String {
    var status = stat()
    return stat(database, &status) == 0 ? "\(status.st_dev):\(status.st_ino)" : "none"
  }

  /// The generation that this file went on with last, where that was at the same address, and by what its place was known.
  func known(at address: String) -> (generation: String, place: String)? {
    guard let known = CopyStanding.parsed(readAll()), known.owner == owner, known.standing.address == address else {
      return nil
    }
    return CopyName.isGeneration(known.generation) ? (known.generation, known.place) : nil
  }

  func standing() -> CopyStanding? { CopyStanding.parsed(readAll())?.standing }

  func write(_ generation: String, _ address: String, _ place: String, _ at: Timestamp) {
    let text = "uptake-copy 1\n\(at.rawValue)\n\(generation)\n\(owner)\n\(address)\n\(place)\n"
    let bytes = Array(text.utf8)
    if pwrite(descriptor, bytes, bytes.count, 0) == bytes.count { ftruncate(descriptor, off_t(bytes.count)) }
  }

  private func readAll() -> String {
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }
}

/// How far the continuous copy of a database is, as the file beside it says.
public struct CopyStanding: Equatable, Sendable {
  public var address: String
  /// Everything that was committed before is in the copy.
  public var through: Timestamp

  public init(address: String, through: Timestamp) { (self.address, self.through) = (address, through) }

  /// nil where the database was never copied.
  public static func of(_ database: String) -> CopyStanding? {
    (try? Text.read(CopyClaim.path(database))).flatMap { parsed($0)?.standing }
  }

  /// Whether a copy was begun, and nothing of it was ever confirmed.
  public static func isOnlyBegun(_ database: String) -> Bool {
    guard let text = try? Text.read(CopyClaim.path(database)) else { return false }
    return parsed(text) == nil
  }

  fileprivate static func parsed(_ text: String) -> (
    standing: Self, generation: String, owner: String, place: String
  )? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count >= 5, lines[0] == "uptake-copy 1", let at = Int64(lines[1]) else { return nil }
    // Earlier versions knew no place.
    let place = lines.count > 5 ? lines[5] : ""
    return (Self(address: lines[4], through: Timestamp(stored: at)), lines[2], lines[3], place)
  }
}
