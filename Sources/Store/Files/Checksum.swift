import CSodium
import Glibc

/// SHA-256 of a file, written beside it as `sha256sum` writes it.
enum Checksum {
  static func path(of file: String) -> String { file + ".sha256" }

  static func of(_ path: String) throws(StoreError) -> String {
    try reading(path) { _ throws(StoreError) in }
  }

  /// Calls `body` with every piece of the file on the way.
  static func reading(_ path: String, _ body: ([UInt8]) throws(StoreError) -> Void) throws(StoreError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DurableFile.failure(path) }
    defer { close(descriptor) }
    var state = crypto_hash_sha256_state()
    crypto_hash_sha256_init(&state)
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(descriptor, &piece, piece.count)
      guard count >= 0 else { throw DurableFile.failure(path) }
      if count == 0 { break }
      crypto_hash_sha256_update(&state, piece, UInt64(count))
      try body(Array(piece[..<count]))
    }
    var digest = [UInt8](repeating: 0, count: 32)
    crypto_hash_sha256_final(&state, &digest)
    return hex(digest)
  }

  /// - Parameter digests: more than one while a file is replaced: whichever of the two is there is one of them.
  static func write(_ digests: [String], of file: String) throws(StoreError) {
    let target = path(of: file)
    let part = try PartFile(target + ".part")
    try part.write(Array(digests.map { "\($0)  \(DurableFile.name(of: file))\n" }.joined().utf8))
    try DurableFile.rename(part.path, to: target)
  }

  /// The digests that stand beside a file.
  static func written(of file: String) throws(StoreError) -> [String] {
    guard DurableFile.exists(path(of: file)) else { throw StoreError(.refused(.noChecksum), path: file) }
    var text: [UInt8] = []
    _ = try reading(path(of: file)) { text += $0.prefix(4096 - min(4096, text.count)) }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map { String($0.prefix(64)) }
  }

  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    return digest
  }

  static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
