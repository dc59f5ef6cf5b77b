import CSodium

/// A file of single events that left the event table. It says everything that they said, but for the hash by which a
/// resend is recognised: the database keeps that as long as it compares.
///
///     "uptkarc1"  digest of the identity keys (16)  first and last number (8 each)  before (8)  events (8)
///     strings: contexts, releases, names, each a count (4) and entries
///     columns: numbers, receipts, lags, devices that occur, device, context, release, …
///     BLAKE2b-256 of all that (32)
enum Archive {
  static let magic = Array("uptkarc1".utf8)
  /// With the region, model and tags of each context behind it.
  static let magicWithTraits = Array("uptkarc2".utf8)

  static func pack(_ events: ArchivedEvents, _ keys: IdentityKeys, before: Int64) throws(StoreError) -> [UInt8] {
    var bytes = (holdsTraits(events) ? magicWithTraits : magic) + fingerprint(keys)
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
      let hasTraits = bytes.starts(with: magicWithTraits)
      guard bytes.count > 100, hasTraits || bytes.starts(with: magic) else {
        throw DamagedArchive("it does not begin like one")
      }
      guard Array(bytes[(bytes.count - 32)...]) == digest(bytes[..<(bytes.count - 32)], count: 32) else {
        throw DamagedArchive("its checksum is wrong")
      }
      guard Array(bytes[8..<24]) == fingerprint(keys) else { throw DamagedArchive("") }
      var reader = ArchiveBytes(bytes, 48..<(bytes.count - 32))
      let count = Int(try reader.signed())
      var events = try strings(&reader, hasTraits: hasTraits)
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

  static func load(_ path: String, _ keys: IdentityKeys) throws(StoreError) -> ArchivedEvents {
    guard DurableFile.exists(path) else { throw StoreError(.refused(.archiveMissing), path: path) }
    return try unpack(contents(path), keys, path: path)
  }

  static func contents(_ path: String) throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(DiskSpace.size(path))
    _ = try Checksum.reading(path) { bytes += $0 }
    return bytes
  }

  private static func fingerprint(_ keys: IdentityKeys) -> [UInt8] {
    digest((keys.device + keys.event)[...], count: 16)
  }

  static func digest(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeBufferPointer {
      _ = crypto_generichash(&hash, count, $0.baseAddress, UInt64($0.count), nil, 0)
    }
    return hash
  }
}
