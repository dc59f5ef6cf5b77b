internal import CSodium

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

  var base64: String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let padded = bytes + [0]
    let text = stride(from: 0, to: padded.count, by: 3).flatMap { i -> [Character] in
      let triple = Int(padded[i]) << 16 | Int(padded[i + 1]) << 8 | Int(padded[i + 2])
      return [18, 12, 6, 0].map { letters[triple >> $0 & 63] }
    }
    return String(text.dropLast()) + "="
  }
}
