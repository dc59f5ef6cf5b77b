import CPageChecksums

/// A database file as pages of bytes, without SQLite: where that refuses a damaged file, its sound pages can still be read.
struct PageFile {
  private let file: MappedFile
  let pageSize: Int
  /// How much of a page SQLite uses: the rest is a checksum.
  let usable: Int
  /// Whether new pages may end with zeros, since another program has moved a log into the file.
  private let countsZeros: Bool
  var pages: Int { file.count / pageSize }

  init(path: String) throws(StoreError) {
    file = try MappedFile(path)
    let written = file.byte(16) << 8 | file.byte(17)
    let isSound = written >= 512 && written & (written - 1) == 0
    // Every file of ours has pages of 16 KB.
    pageSize = isSound ? written : 16384
    let length = page_checksum_length
    // The first page may be the damaged one.
    let haveChecksums =
      file.byte(20) == length || (1...64).contains { [file, pageSize] in file.holdsChecksum(page: $0, size: pageSize) }
    usable = haveChecksums ? pageSize - length : pageSize
    countsZeros = file.missesChecksum(page: 1, size: pageSize, countingZeros: true)
  }

  func holdsChecksum(_ page: Int) -> Bool { file.holdsChecksum(page: page, size: pageSize) }

  /// Whether a page is what was written.
  func isSound(_ page: Int) -> Bool {
    if usable == pageSize || holdsChecksum(page) { return true }
    return file.missesChecksum(page: page, size: pageSize, countingZeros: countsZeros)
  }

  func byte(_ place: Int) -> Int { file.byte(place) }
  func word(_ place: Int) -> Int { byte(place) << 8 | byte(place + 1) }
  func double(_ place: Int) -> Int { word(place) << 16 | word(place + 2) }

  /// SQLite's numbers of one to nine bytes.
  func varint(_ place: inout Int) -> Int {
    var value: UInt64 = 0
    for _ in 0..<8 {
      let next = UInt64(byte(place))
      place += 1
      value = value << 7 | next & 127
      if next & 128 == 0 { return Int(truncatingIfNeeded: value) }
    }
    value = value << 8 | UInt64(byte(place))
    place += 1
    return Int(truncatingIfNeeded: value)
  }

  /// A payload with what overflows into other pages; nil where the chain breaks.
  func payload(at place: Int, count: Int, isIndex: Bool, pageEnd: Int) -> [UInt8]? {
    guard count > 0, count < file.count else { return nil }
    let longest = isIndex ? (usable - 12) * 64 / 255 - 23 : usable - 35
    let least = (usable - 12) * 32 / 255 - 23
    let fitted = least + (count - least) % (usable - 4)
    let local = count <= longest ? count : fitted <= longest ? fitted : least
    guard place + local <= pageEnd else { return nil }
    var payload = file.bytes(place..<(place + local))
    guard local < count else { return payload }
    var (next, steps) = (double(place + local), 0)
    while payload.count < count {
      guard next > 1, next <= pages, steps <= pages, isSound(next) else { return nil }
      let start = (next - 1) * pageSize
      let rest = min(usable - 4, count - payload.count)
      payload += file.bytes((start + 4)..<(start + 4 + rest))
      next = double(start)
      steps += 1
    }
    return payload
  }
}

/// The values of a record.
struct PageRecord {
  var rowID: Int64?
  var values: [Value]

  /// nil where the bytes are no record.
  init?(_ payload: [UInt8], rowID: Int64?) {
    var reader = Reader(bytes: payload)
    guard let headerEnd = reader.varint(), headerEnd <= payload.count, headerEnd >= reader.place else { return nil }
    var kinds: [Int] = []
    while reader.place < headerEnd {
      guard let kind = reader.varint(), kinds.count < 100 else { return nil }
      kinds.append(kind)
    }
    guard reader.place == headerEnd else { return nil }
    values = []
    for kind in kinds {
      guard let value = reader.value(kind) else { return nil }
      values.append(value)
    }
    guard reader.place == payload.count else { return nil }
    self.rowID = rowID
  }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0

    mutating func varint() -> Int? {
      var value = 0
      for _ in 0..<8 {
        guard place < bytes.count else { return nil }
        let next = Int(bytes[place])
        place += 1
        value = value << 7 | next & 127
        if next & 128 == 0 { return value }
      }
      return nil
    }

    mutating func value(_ kind: Int) -> Value? {
      switch kind {
      case 0: return .null
      case 1...4: return integer(kind)
      case 5: return integer(6)
      case 6: return integer(8)
      case 7:
        return integer(8).map {
          if case .integer(let bits) = $0 { .real(Double(bitPattern: UInt64(bitPattern: bits))) } else { $0 }
        }
      case 8: return .integer(0)
      case 9: return .integer(1)
      case 12...:
        return take((kind - 12) / 2).map { kind & 1 == 0 ? .blob($0) : .text(String(decoding: $0, as: UTF8.self)) }
      default: return nil
      }
    }

    private mutating func integer(_ width: Int) -> Value? {
      guard let taken = take(width), let first = taken.first else { return nil }
      return .integer(taken.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) })
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
      guard count >= 0, place + count <= bytes.count else { return nil }
      defer { place += count }
      return Array(bytes[place..<(place + count)])
    }
  }
}
