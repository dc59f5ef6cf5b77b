/// The fields of an event on the wire. The raw value is the slot of a decoded row.
enum Field: Int, CaseIterable {
  case device, stage, app, trigger, at, release, channel, id, from, platform, osVersion, appVersion, sdkVersion, network
  case durationMs, bytes, outcome, reason, appState, appIsStarting, push, emulator, bucket, arm
  case sentAt, received
  /// What the push gateway answered, sent as `apns` or `fcm`.
  case gateway
  /// Something in a shape of Swiftpatch's own.
  case foreign
  case region, deviceModel, tags

  enum Kind { case text, word, integer, boolean, time, object }

  var kind: Kind {
    switch self {
    case .device, .app, .release, .channel, .id, .from, .platform, .osVersion, .appVersion, .sdkVersion, .network,
      .reason, .push, .arm, .foreign, .region, .deviceModel:
      .text
    case .stage, .trigger, .outcome, .appState, .gateway: .word
    case .durationMs, .bytes, .bucket: .integer
    case .appIsStarting, .emulator: .boolean
    case .at, .sentAt, .received: .time
    case .tags: .object
    }
  }

  /// The longest text in bytes. A longer `reason` is cut, since its beginning says most; anything else is refused.
  var limit: Int {
    switch self {
    case .device, .app, .release, .from, .push: 128
    case .reason: 256
    case .region: 32
    default: 64
    }
  }

  var bit: UInt64 { 1 << UInt64(rawValue) }

  /// Other words for the field; the field's own name wins over them.
  var aliases: [String] {
    switch self {
    case .trigger: ["type"]
    case .at: ["ts"]
    case .outcome: ["result"]
    default: []
    }
  }

  /// The field's own name in all its spellings.
  var spellings: [String] {
    switch self {
    case .gateway: ["apns", "fcm"]
    case .foreign:
      ["swiftpatch", "update", "userInfo", "payload", "data", "aps"]
        + ["eventType", "swiftpatchEvent"].flatMap(Ingest.spellings(of:))
    default: Ingest.spellings(of: "\(self)")
    }
  }
}

/// `osVersion`, `os_version` and `os-version`: the same word to a client that has its own taste.
func spellings(of word: String) -> [String] {
  guard word.contains(where: \.isUppercase) else { return [word] }
  return [word]
    + ["_", "-"].map { joint in
      word.map { $0.isUppercase ? joint + $0.lowercased() : String($0) }.joined()
    }
}
