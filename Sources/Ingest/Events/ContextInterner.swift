import CSimdjson
import Lifecycle

/// The contexts of a batch, each once. Events of one device follow one another, so the last one is tried first.
struct ContextInterner: ~Copyable {
  /// The bytes of a context's strings as they stand in the body; empty is none.
  struct Key {
    var app, channel, platform, osVersion, appVersion, sdkVersion, network, arm: Text
    var emulator: Bool?
    var region, deviceModel: Text
    /// An object as the client wrote it.
    var tags: Text

    var isExtended: Bool { !region.isEmpty || !deviceModel.isEmpty || !tags.isEmpty }

    @inline(__always)
    func equals(_ other: Key) -> Bool {
      app.equals(other.app) && channel.equals(other.channel) && platform.equals(other.platform)
        && osVersion.equals(other.osVersion) && appVersion.equals(other.appVersion)
        && sdkVersion.equals(other.sdkVersion) && network.equals(other.network) && arm.equals(other.arm)
        && emulator == other.emulator && region.equals(other.region) && deviceModel.equals(other.deviceModel)
        && tags.equals(other.tags)
    }

    @inline(__always)
    func hash(_ seed: UInt64) -> UInt64 {
      var hash = seed ^ (emulator == nil ? 2 : emulator == true ? 1 : 0)
      hash = csj_hash(app.start, app.count, hash)
      hash = csj_hash(channel.start, channel.count, hash)
      hash = csj_hash(platform.start, platform.count, hash)
      hash = csj_hash(osVersion.start, osVersion.count, hash)
      hash = csj_hash(appVersion.start, appVersion.count, hash)
      hash = csj_hash(sdkVersion.start, sdkVersion.count, hash)
      hash = csj_hash(network.start, network.count, hash)
      hash = csj_hash(arm.start, arm.count, hash)
      guard isExtended else { return hash }
      hash = csj_hash(region.start, region.count, hash)
      hash = csj_hash(deviceModel.start, deviceModel.count, hash)
      return csj_hash(tags.start, tags.count, hash)
    }
  }

  private(set) var contexts: [Context] = []
  private var keys: [Key] = []
  private var index = HashIndex()
  private var arena = Arena()
  private var last = 0
  /// By what clients wrote: few objects are said by many devices.
  private var tags: [String: [String]] = [:]
  /// The word of each network, by what clients wrote.
  private var networks: [String: String] = [:]
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  @inline(__always)
  mutating func intern(_ key: Key) -> UInt32 {
    if last < keys.count, keys[last].equals(key) { return UInt32(last) }
    return lookUp(key)
  }

  private mutating func lookUp(_ key: Key) -> UInt32 {
    let hash = key.hash(seed)
    if let place = index.find(hash, where: { keys[$0].equals(key) }) {
      last = place
    } else {
      last = keys.count
      index.append(hash)
      keys.append(keep(key))
      contexts.append(Context(key, DeviceTraits.text(key, network: network(key.network), tags: read(key.tags))))
    }
    return UInt32(last)
  }

  private mutating func network(_ text: Text) -> String? {
    if text.isEmpty { return nil }
    let text = text.string
    if let known = networks[text] { return known }
    let word = Network(text).word
    networks[text] = word
    return word
  }

  private mutating func read(_ object: Text) -> [String] {
    if object.isEmpty { return [] }
    let text = object.string
    if let known = tags[text] { return known }
    let read = DeviceTraits.tags(Array(object.bytes))
    tags[text] = read
    return read
  }

  private mutating func keep(_ key: Key) -> Key {
    Key(
      app: arena.copy(key.app), channel: arena.copy(key.channel), platform: arena.copy(key.platform),
      osVersion: arena.copy(key.osVersion), appVersion: arena.copy(key.appVersion),
      sdkVersion: arena.copy(key.sdkVersion), network: arena.copy(key.network), arm: arena.copy(key.arm),
      emulator: key.emulator, region: arena.copy(key.region), deviceModel: arena.copy(key.deviceModel),
      tags: arena.copy(key.tags))
  }
}

extension Context {
  fileprivate init(_ key: ContextInterner.Key, _ traits: String?) {
    func optional(_ text: Text) -> String? { text.isEmpty ? nil : text.string }
    self.init(
      app: key.app.string, channel: key.channel.string, platform: optional(key.platform),
      osVersion: optional(key.osVersion), appVersion: optional(key.appVersion), sdkVersion: optional(key.sdkVersion),
      network: optional(key.network), arm: optional(key.arm), emulator: key.emulator, traits: traits)
  }
}

extension DeviceTraits {
  /// As `text` would say it, without a table of them: nearly each device has traits of its own.
  fileprivate static func text(_ key: ContextInterner.Key, network: String?, tags: [String]) -> String? {
    guard network != nil || key.isExtended else { return nil }
    let named = [
      key.deviceModel.isEmpty ? nil : pair(deviceModel, key.deviceModel.string), network.map { pair(Self.network, $0) },
      key.region.isEmpty ? nil : pair(region, key.region.string),
    ]
    let lines = named.compactMap(\.self) + tags
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// Texts, numbers and truths; what else an app says is not counted, and no error: clients grow fields.
  fileprivate static func tags(_ bytes: [UInt8]) -> [String] {
    guard case .object(let pairs)? = try? JSONReader.read(bytes) else { return [] }
    var taken: [String: String] = [:]
    var count = 0
    for pair in pairs.sorted(by: { $0.name < $1.name }) where count < mostTags && isTagName(pair.name) {
      guard let text = pair.value.tag, !text.utf8.contains(0) else { continue }
      // Of a name that is there twice the last one counts.
      taken[tag + pair.name] = text.utf8.count > longestTag ? other : text
      count += 1
    }
    return taken.sorted { $0.key < $1.key }.map(pair)
  }

  /// Stands for what is too long or too much.
  static let other = "other"
}

extension JSONValue {
  fileprivate var tag: String? {
    switch self {
    case .bool(let truth): truth ? "true" : "false"
    case .decimal(let number): "\(number)"
    default: word
    }
  }
}
