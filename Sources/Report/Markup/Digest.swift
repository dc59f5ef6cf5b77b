/// SHA-256, for the page's permission of its own style and for names of files. FIPS 180-4.
struct Digest {
  private(set) var words: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  init(_ text: String) {
    var message = Array(text.utf8)
    let bits = UInt64(message.count) * 8
    message.append(0x80)
    message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
    message += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    for start in stride(from: 0, to: message.count, by: 64) { mix(message[start..<start + 64]) }
  }

  private mutating func mix(_ block: ArraySlice<UInt8>) {
    var w = [UInt32](repeating: 0, count: 64)
    for (index, byte) in block.enumerated() { w[index / 4] |= UInt32(byte) << UInt32(24 - 8 * (index % 4)) }
    for i in 16..<64 {
      let s0 = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ (w[i - 15] >> 3)
      let s1 = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ (w[i - 2] >> 10)
      w[i] = w[i - 16] &+ s0 &+ w[i - 7] &+ s1
    }
    var h = words
    for i in 0..<64 {
      let s1 = turned(h[4], 6) ^ turned(h[4], 11) ^ turned(h[4], 25)
      let t1 = h[7] &+ s1 &+ ((h[4] & h[5]) ^ (~h[4] & h[6])) &+ Self.constants[i] &+ w[i]
      let s0 = turned(h[0], 2) ^ turned(h[0], 13) ^ turned(h[0], 22)
      let t2 = s0 &+ ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]))
      h = [t1 &+ t2, h[0], h[1], h[2], h[3] &+ t1, h[4], h[5], h[6]]
    }
    words = zip(words, h).map { $0 &+ $1 }
  }

  var bytes: [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
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

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

private func turned(_ word: UInt32, _ places: UInt32) -> UInt32 { word >> places | word << (32 - places) }
