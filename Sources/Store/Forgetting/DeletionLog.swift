import CSodium
import Glibc

/// Which devices were forgotten, in a file beside the database, `FILE.forgotten`: it outlives the database, so that a
/// backup from before forgets them again when it is restored.
///
/// A line holds a keyed hash of the device's hash, and when. Who has neither the database's keys nor the device's hash
/// learns nothing from it.
enum DeletionLog {
  struct Entry: Hashable {
    var digest: [UInt8]
    /// Milliseconds since 1970.
    var at: Int64
  }

  static func path(_ database: String) -> String { database + ".forgotten" }

  static func digest(_ device: UInt64, _ keys: IdentityKeys) -> [UInt8] {
    var message = Array("forgotten".utf8)
    ArchiveBytes.append(device, width: 8, to: &message)
    var hash = [UInt8](repeating: 0, count: 16)
    crypto_generichash(&hash, hash.count, message, UInt64(message.count), keys.device, keys.device.count)
    return hash
  }

  /// On disk when this returns.
  static func append(_ entries: [Entry], database: String) throws(StoreError) {
    let path = path(database)
    let owner = DurableFile.exists(database) ? database : DurableFile.directory(of: database)
    let descriptor = FileOwner.open(path, O_RDWR | O_APPEND | O_CLOEXEC, likeOwnerOf: owner)
    guard descriptor >= 0 else { throw DurableFile.failure(path) }
    defer { close(descriptor) }
    // Behind a line that was cut short the next one would be none.
    let start = endsWithin(descriptor) ? "\n" : ""
    let lines = start + entries.map { "\(Checksum.hex($0.digest)) \($0.at)\n" }.joined()
    let bytes = Array(lines.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      throw DurableFile.failure(path)
    }
    try DurableFile.sync(DurableFile.directory(of: path))
  }

  /// Whether the last line has no end.
  private static func endsWithin(_ descriptor: Int32) -> Bool {
    let size = lseek(descriptor, 0, SEEK_END)
    var last = UInt8(ascii: "\n")
    return size > 0 && pread(descriptor, &last, 1, size - 1) == 1 && last != UInt8(ascii: "\n")
  }

  /// Nothing where there is no log. A last line that a power loss cut short is no entry.
  static func read(_ path: String) throws(StoreError) -> [Entry] {
    guard DurableFile.exists(path) else { return [] }
    return try Text.read(path).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, words[0].utf8.count == 32, let at = Int64(words[1]) else { return nil }
      let digits = Array(words[0].utf8)
      let bytes = stride(from: 0, to: 32, by: 2).compactMap { place in
        UInt8(String(decoding: digits[place..<(place + 2)], as: UTF8.self), radix: 16)
      }
      return bytes.count == 16 ? Entry(digest: bytes, at: at) : nil
    }
  }

  /// Entries that the database does not know, where a log has no later one of the device: made after it was copied, or cut short before
  /// they were done. One that was asked for again was done with that: what came since is of a new device.
  static func pending(_ logs: [String], _ connection: borrowing Connection) throws(StoreError) -> [Entry] {
    // By their order, as clocks may have been ahead.
    var last: Set<Entry> = []
    for log in logs {
      last.formUnion(Dictionary(try read(log).map { ($0.digest, $0) }) { $1 }.values)
    }
    let known = try connection.prepare("SELECT digest, at FROM forgotten").rows {
      Entry(digest: $0.blob(0), at: $0.integer(1))
    }
    let pending = Dictionary(last.subtracting(known).map { ($0.digest, $0.at) }, uniquingKeysWith: max)
    return pending.map { Entry(digest: $0.key, at: $0.value) }.sorted { $0.at < $1.at }
  }
}
