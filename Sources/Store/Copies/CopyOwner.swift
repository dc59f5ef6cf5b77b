import CSodium

/// Which database a generation is a copy of: a keyed hash of nothing, so that who has a copy's name learns nothing of its keys.
///
/// Two databases that copy to one place would hide each other: restoring takes the newest generation.
struct CopyOwner: Equatable {
  private let digest: String

  init(_ keys: IdentityKeys) {
    let message = Array("copied".utf8)
    var hash = [UInt8](repeating: 0, count: 16)
    crypto_generichash(&hash, hash.count, message, UInt64(message.count), keys.device, keys.device.count)
    digest = Checksum.hex(hash)
  }

  /// nil for other bytes.
  init?(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count == 2, lines[0] == Self.title else { return nil }
    digest = String(lines[1])
  }

  private static let title = "uptake-copy-of 1"
  var bytes: [UInt8] { Array("\(Self.title)\n\(digest)\n".utf8) }

  /// Throws where the newest generation that says whose it is, is another's. Of what earlier versions wrote nothing is known.
  func require(in target: any CopyTarget) throws(StoreError) {
    guard target.isReadable, let newest = Self.generations(try target.names()).max() else { return }
    guard let owner = try Self.owner(of: newest, in: target), owner != self else { return }
    throw .copy(.ofAnother(generation: newest), target.address)
  }

  /// Throws where some generations are of one database, and some of another.
  static func requireOne(_ names: [String], in target: any CopyTarget) throws(StoreError) {
    var first: [String: String] = [:]
    for generation in generations(names).sorted() {
      guard let owner = try owner(of: generation, in: target), first[owner.digest] == nil else { continue }
      first[owner.digest] = generation
    }
    if first.count > 1 { throw .copy(.several(began: first.values.sorted().map(CopyName.began)), target.address) }
  }

  private static func owner(of generation: String, in target: any CopyTarget) throws(StoreError) -> CopyOwner? {
    try target.get(CopyName.owner(generation), first: nil).flatMap(CopyOwner.init)
  }

  /// Those that say whose they are.
  private static func generations(_ names: [String]) -> [String] {
    names.compactMap { name in
      let generation = String(name.prefix { $0 != "/" })
      return CopyName.isGeneration(generation) && name == CopyName.owner(generation) ? generation : nil
    }
  }
}
