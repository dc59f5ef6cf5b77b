import CSodium
import Glibc

/// A file of single events that left the event table. It says everything that they said, but for the hash by which a
/// resend is recognised: the database keeps that as long as it compares.
///
///     "uptkarc1"  digest of the identity keys (16)  first and last number (8 each)  before (8)  events (8)
///     strings: contexts, releases, names, each a count (4) and entries
///     columns: numbers, receipts, lags, devices that occur, device, context, release, …
///     BLAKE2b-256 of all that (32)
enum Archive {
  private static let magic = Array("uptkarc1".utf8)

  static func pack(_ events: ArchivedEvents, _ keys: IdentityKeys, before: Int64) throws(StoreError) -> [UInt8] {
    var bytes = magic + fingerprint(keys)
    for number in [events.sequences.first ?? 0, events.sequences.last ?? 0, before, Int64(events.rows.count)] {
      ArchiveBytes.append(UInt64(bitPattern: number), width: 8, to: &bytes)
    }
    appendStrings(events, to: &bytes)
    for column in ArchiveLayout.columns(events) { try ArchiveColumn.append(column, to: &bytes) }
    return bytes + digest(bytes[...], count: 32)
  }

  /// What an archive holds, after its checksum and its keys were held against this database.
  static func unpack(_ bytes: [UInt8], _ keys: IdentityKeys, path: String) throws(StoreError) -> ArchivedEvents {
    do throws(DamagedArchive) {
      guard bytes.count > 100, bytes.starts(with: magic) else { throw DamagedArchive("it does not begin like one") }
      guard Array(bytes[(bytes.count - 32)...]) == digest(bytes[..<(bytes.count - 32)], count: 32) else {
        throw DamagedArchive("its checksum is wrong")
      }
      guard Array(bytes[8..<24]) == fingerprint(keys) else { throw DamagedArchive("") }
      var reader = ArchiveBytes(bytes, 48..<(bytes.count - 32))
      let count = Int(try reader.signed())
      var events = try strings(&reader)
      events.origin = try origin(bytes)
      try ArchiveLayout.read(&reader, into: &events)
      guard events.rows.count == count, reader.isAtEnd else { throw DamagedArchive("its counts do not agree") }
      return events
    } catch {
      if error.why.isEmpty { throw StoreError(.refused(.foreignArchive), path: path) }
      throw StoreError(.refused(.damagedArchive(error.why)), path: path)
    }
  }

  /// The digest that ends an archive: no other archive has it.
  static func digest(of archive: [UInt8]) -> [UInt8] { Array(archive.suffix(32)) }

  private static func origin(_ bytes: [UInt8]) throws(DamagedArchive) -> ArchivedEvents.Origin {
    var reader = ArchiveBytes(bytes, 40..<48)
    return ArchivedEvents.Origin(before: try reader.signed(), digest: digest(of: bytes))
  }

  /// Whether a file begins like an archive.
  static func isOne(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: 8)
    return Glibc.read(descriptor, &start, 8) == 8 && start == magic
  }

  /// How many events a whole archive holds; nil where there is none.
  static func count(_ path: String) -> Int64? {
    guard isOne(path), let bytes = try? contents(path), bytes.count > 100 else { return nil }
    var reader = ArchiveBytes(bytes, 48..<56)
    return try? reader.signed()
  }

  static func load(_ path: String, _ keys: IdentityKeys) throws(StoreError) -> ArchivedEvents {
    guard DurableFile.exists(path) else { throw StoreError(.refused(.archiveMissing), path: path) }
    return try unpack(contents(path), keys, path: path)
  }

  /// Where nothing is yet: after an older backup was restored, numbers are given anew, and an archive of that name may
  /// hold the only copy of what was stored after the backup.
  static func freePath(_ stem: String) -> String {
    let candidates = (1...).lazy.map { $0 == 1 ? stem + ".uptk" : "\(stem)-\($0).uptk" }
    return candidates.first { !DurableFile.exists($0) } ?? stem + ".uptk"
  }

  /// On disk and under its name when this returns.
  static func save(_ bytes: [UInt8], at path: String) throws(StoreError) {
    let part = try PartFile(path + ".part")
    try part.write(bytes)
    try DurableFile.rename(part.path, to: path)
  }

  /// The same; false, and nothing is changed, where a file of that name is there. An empty one holds the name meanwhile.
  static func saveAnew(_ bytes: [UInt8], at path: String) throws(StoreError) -> Bool {
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if descriptor < 0, errno == EEXIST { return false }
    guard descriptor >= 0 else { throw DurableFile.failure(path) }
    close(descriptor)
    try save(bytes, at: path)
    return true
  }

  /// Whether a file is what an interrupted run of a removal left.
  static func isOf(_ removed: Removed, _ path: String, _ keys: IdentityKeys) -> Bool {
    if DiskSpace.size(path) == 0 { return true }
    guard let events = try? load(path, keys), events.origin?.before == removed.before else { return false }
    return events.sequences.allSatisfy { (removed.first...removed.last).contains($0) }
  }

  private static func contents(_ path: String) throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(DiskSpace.size(path))
    _ = try Checksum.reading(path) { bytes += $0 }
    return bytes
  }

  private static func fingerprint(_ keys: IdentityKeys) -> [UInt8] {
    digest((keys.device + keys.event)[...], count: 16)
  }

  private static func digest(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeBufferPointer {
      _ = crypto_generichash(&hash, count, $0.baseAddress, UInt64($0.count), nil, 0)
    }
    return hash
  }
}
