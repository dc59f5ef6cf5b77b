import CSodium
import Lifecycle

/// Numbers for texts that are the same on every node: the first eight bytes of BLAKE2b, never 0.
public enum WordHash {
  public static func of(_ text: String) -> UInt64 { of(bytes: Array(text.utf8)) }

  /// Of several texts, each with its length before it; an absent one is told from an empty one.
  public static func of(_ texts: [String?]) -> UInt64 {
    of(bytes: texts.flatMap { text in Array("\(text.map { $0.utf8.count } ?? -1):\(text ?? "")".utf8) })
  }

  static func of(bytes: [UInt8]) -> UInt64 {
    // The shortest that the library makes; the rest is left out.
    var digest = [UInt8](repeating: 0, count: 16)
    _ = sodium_init()
    crypto_generichash(&digest, 16, bytes, UInt64(bytes.count), nil, 0)
    let hash = digest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return hash == 0 ? 1 : hash
  }
}

/// The strings that a file's events share, with the hashes that stand for them elsewhere.
public struct ShippedWords: Sendable {
  /// What the number of a context stands for.
  public struct Context: Sendable {
    public var app, channel, platform, profile, networkText: UInt64
    public var network: UInt8
  }
  public struct Profile: Sendable {
    public var hash: UInt64
    public var fields: DeviceProfile
  }
  public struct Release: Sendable {
    public var hash: UInt64
    public var app, label: String
  }
  /// By number.
  public private(set) var contexts = NumberedWords<Context>()
  public private(set) var names = NumberedWords<UInt64>()
  public private(set) var releaseHashes = NumberedWords<UInt64>()
  /// What is to be told of them.
  public private(set) var texts: [UInt64: String] = [:]
  public private(set) var profiles: [Profile] = []
  public private(set) var releases: [Release] = []

  /// Grows whenever something is added.
  public var count: Int { contexts.count + names.count + profiles.count + releases.count }

  init(_ connection: borrowing Connection) throws(StoreError) {
    for (id, text) in try connection.prepare("SELECT id, text FROM name").rows(row: { ($0.integer(0), $0.text(1)) }) {
      names[id] = note(text)
    }
    var profileHashes: [Int64: (hash: UInt64, platform: String?)] = [:]
    let rowsOfProfiles = try connection.prepare("SELECT * FROM profile").rows { ($0.integer(0), DeviceProfile($0)) }
    for (id, fields) in rowsOfProfiles {
      let profile = Profile(hash: fields.hash, fields: fields)
      profiles.append(profile)
      profileHashes[id] = (profile.hash, fields.platform)
    }
    let rows = try connection.prepare("SELECT id, app, channel, network, profile FROM context").rows {
      ($0.integer(0), $0.text(1), $0.text(2), $0.optionalText(3), $0.integer(4))
    }
    for (id, app, channel, network, profile) in rows {
      guard let known = profileHashes[profile] else { continue }
      contexts[id] = Context(
        app: note(app), channel: note(channel), platform: known.platform.map { note($0) } ?? 0, profile: known.hash,
        networkText: network.map { note($0) } ?? 0, network: network.map { Network($0).rawValue } ?? 0)
    }
    let labels = try connection.prepare("SELECT id, app, label FROM release").rows {
      ($0.integer(0), $0.text(1), $0.text(2))
    }
    for (id, app, label) in labels {
      let release = Release(hash: WordHash.of([app, label]), app: app, label: label)
      releases.append(release)
      releaseHashes[id] = release.hash
      _ = note(app)
    }
  }

  private mutating func note(_ text: String) -> UInt64 {
    let hash = WordHash.of(text)
    texts[hash] = text
    return hash
  }
}

extension DeviceProfile {
  public var hash: UInt64 {
    WordHash.of([platform, osVersion, appVersion, sdkVersion, arm, emulator.map { $0 ? "1" : "0" }, traits])
  }
}
