import CSodium
public import Lifecycle

/// Stands for a text of any length in memory: 128 bits of a hash. Ten million of them have two alike once in 10²⁴ runs.
public struct Fingerprint: Hashable, Sendable {
  var first: UInt64
  var second: UInt64

  public func hash(into hasher: inout Hasher) { hasher.combine(first) }
}

/// Makes fingerprints by a key of its own, so that nobody can send two texts that are taken for one.
final class FingerprintMaker {
  private let key: [UInt8]
  private var bytes: [UInt8] = []

  init(key: [UInt8] = FingerprintMaker.randomKey()) {
    self.key = key
    bytes.reserveCapacity(120)
  }

  static func randomKey() -> [UInt8] {
    var key = [UInt8](repeating: 0, count: Int(crypto_shorthash_siphashx24_KEYBYTES))
    randombytes_buf(&key, key.count)
    return key
  }

  func fingerprint(_ text: String) -> Fingerprint {
    bytes.removeAll(keepingCapacity: true)
    put(text)
    return made()
  }

  func fingerprint(_ profile: Interner.Profile) -> Fingerprint {
    bytes.removeAll(keepingCapacity: true)
    put(profile)
    return made()
  }

  func fingerprint(app: String, channel: String, network: String?, _ profile: Interner.Profile) -> Fingerprint {
    bytes.removeAll(keepingCapacity: true)
    put(app)
    put(channel)
    put(network)
    put(profile)
    return made()
  }

  private func put(_ profile: Interner.Profile) {
    put(profile.platform)
    put(profile.osVersion)
    put(profile.appVersion)
    put(profile.sdkVersion)
    put(profile.arm)
    put(profile.traits)
    bytes.append(profile.emulator.map { $0 ? 1 : 0 } ?? 2)
  }

  /// Its length goes first: no two lists of texts are the same bytes.
  private func put(_ text: String?) {
    guard let text else { return bytes.append(255) }
    let count = text.utf8.count
    withUnsafeBytes(of: UInt64(count).bigEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: text.utf8)
  }

  private func made() -> Fingerprint {
    var output: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &output) { output in
      guard let start = output.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
      _ = crypto_shorthash_siphashx24(start, bytes, UInt64(bytes.count), key)
    }
    return Fingerprint(first: output.0, second: output.1)
  }
}

/// The same for whoever compares only now and then what events say of devices, from any thread.
public struct Fingerprints: Sendable {
  private let key = FingerprintMaker.randomKey()
  public init() {}

  public func of(_ text: String) -> Fingerprint { FingerprintMaker(key: key).fingerprint(text) }

  public func of(_ context: Context) -> Fingerprint {
    FingerprintMaker(key: key).fingerprint(
      app: context.app, channel: context.channel, network: context.network, Interner.Profile(context))
  }
}
