internal import CSodium
internal import Console

/// SHA-256, for the page's permission of its own style and for names of files.
struct Digest {
  let bytes: [UInt8]

  init(_ text: String) {
    let message = Array(text.utf8)
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe crypto_hash_sha256(&digest, message, UInt64(message.count))
    bytes = digest
  }

  var hex: String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  var base64: String { Console.base64(bytes) }
}
