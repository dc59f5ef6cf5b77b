import CSodium
import Lifecycle

/// Of a page's bytes; 128 bits of BLAKE2b, which nobody makes two pages of.
struct PageHash: Hashable {
  var one: UInt64 = 0
  var two: UInt64 = 0

  init() {}
  init(one: UInt64, two: UInt64) { (self.one, self.two) = (one, two) }
  init(_ page: UnsafeRawBufferPointer) {
    var hash = [UInt8](repeating: 0, count: 16)
    crypto_generichash(&hash, 16, page.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(page.count), nil, 0)
    (one, two) = hash.withUnsafeBytes { ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt64.self)) }
  }
}

/// Pages of a database as one object of a copy:
///
///     "uptkcop1"  generation(22) completes(1) 0(1) page size(4) pages of the database(4) pages in here(4)
///     sequence(8) time(8) SHA-256 of the part before(32)
///     page number(4) hash(16)  for each     the pages     SHA-256 of all that(32)
///
/// Numbers begin with their least byte. The digest of the part before makes a chain: a part that is missing, is another's or
/// was made twice does not fit.
struct CopyPart {
  var name: CopyName
  var pageSize: Int
  /// How many pages the database has after it.
  var pageCount: Int
  var previous: [UInt8]
  var pages: [(number: UInt32, hash: PageHash)] = []
  var bytes: [UInt8] = []

  static let headLength = 8 + CopyName.generationLength + 2 + 12 + 16 + 32
  /// A part is sent, and read, in one piece.
  static let mostPages = 1024
  private static let magic = Array("uptkcop1".utf8)

  mutating func append(_ number: UInt32, _ hash: PageHash, _ page: UnsafeRawBufferPointer) {
    pages.append((number, hash))
    bytes.append(contentsOf: page)
  }

  /// - Returns: the object, and its digest.
  func encoded() -> (bytes: [UInt8], digest: [UInt8]) {
    var out = Self.magic + Array(name.generation.utf8) + [name.completes ? 1 : 0, 0]
    out.reserveCapacity(Self.headLength + pages.count * 20 + bytes.count + 32)
    for number in [pageSize, pageCount, pages.count] { ArchiveBytes.append(UInt64(number), width: 4, to: &out) }
    ArchiveBytes.append(UInt64(name.sequence), width: 8, to: &out)
    ArchiveBytes.append(UInt64(bitPattern: name.at.rawValue), width: 8, to: &out)
    out += previous
    for page in pages {
      ArchiveBytes.append(UInt64(page.number), width: 4, to: &out)
      ArchiveBytes.append(page.hash.one, width: 8, to: &out)
      ArchiveBytes.append(page.hash.two, width: 8, to: &out)
    }
    out += bytes
    let digest = Checksum.sha256(out)
    return (out + digest, digest)
  }

  /// The head and the list of pages, of the beginning of an object.
  init(head bytes: [UInt8], name: CopyName) throws(DamagedArchive) {
    var input = ArchiveBytes(bytes, 0..<bytes.count)
    guard Array(try input.take(8)) == Self.magic else { throw DamagedArchive("is no part of a copy") }
    let generation = String(decoding: try input.take(CopyName.generationLength), as: UTF8.self)
    let completes = try input.number(width: 1) == 1
    _ = try input.number(width: 1)
    pageSize = Int(try input.number(width: 4))
    pageCount = Int(try input.number(width: 4))
    let count = Int(try input.number(width: 4))
    let sequence = Int(clamping: try input.number(width: 8))
    let at = Timestamp(rawValue: try input.signed())
    self.name = CopyName(generation: generation, sequence: sequence, at: at, completes: completes)
    guard self.name == name else { throw DamagedArchive("has the name of another part") }
    guard (512...65536).contains(pageSize), count <= Self.mostPages else { throw DamagedArchive("has an unknown form") }
    previous = Array(try input.take(32))
    for _ in 0..<count {
      let number = UInt32(try input.number(width: 4))
      pages.append((number, PageHash(one: try input.number(width: 8), two: try input.number(width: 8))))
    }
  }

  /// All of an object, held against its digest.
  init(_ object: [UInt8], name: CopyName) throws(DamagedArchive) {
    guard object.count > Self.headLength + 32 else { throw DamagedArchive("is cut short") }
    let body = Array(object.dropLast(32))
    guard Checksum.sha256(body) == Array(object.suffix(32)) else {
      throw DamagedArchive("is not what was written: its checksum differs")
    }
    try self.init(head: body, name: name)
    let start = Self.headLength + pages.count * 20
    guard body.count == start + pages.count * pageSize else { throw DamagedArchive("has another length than it says") }
    bytes = Array(body[start...])
  }

  init(name: CopyName, pageSize: Int, pageCount: Int, previous: [UInt8]) {
    (self.name, self.pageSize, self.pageCount, self.previous) = (name, pageSize, pageCount, previous)
  }
}
