import CSodium

/// SHA-256 and HMAC for requests that are signed.
public enum RequestHash {
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] { Checksum.sha256(bytes) }
  public static func hex(_ bytes: [UInt8]) -> String { Checksum.hex(bytes) }

  public static func hmac(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var state = crypto_auth_hmacsha256_state()
    var code = [UInt8](repeating: 0, count: 32)
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, bytes, UInt64(bytes.count))
    crypto_auth_hmacsha256_final(&state, &code)
    return code
  }
}
