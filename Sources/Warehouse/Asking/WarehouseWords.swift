import Lifecycle
import Store

/// What the hashes of a warehouse stand for, and the numbers that questions know them by here.
///
/// Numbers are given in alphabetical order: no answer may depend on them, and these are the same each time.
struct WarehouseWords {
  /// By hash.
  private(set) var names: [UInt64: Int64] = [:]
  private(set) var profiles: [UInt64: Int64] = [:]
  private(set) var releases: [UInt64: Int64] = [:]
  private var texts: [UInt64: String] = [:]
  private var profileFields: [UInt64: DeviceProfile] = [:]
  private var labels: [UInt64: (app: String, label: String)] = [:]

  init(_ client: WarehouseClient) throws(StoreError) {
    var rows = try client.select("SELECT hash, text FROM \(client.table("word")) GROUP BY hash, text")
    while !rows.isAtEnd { texts[try rows.number()] = try rows.text() }
    rows = try client.select("SELECT hash, app, label FROM \(client.table("release")) GROUP BY hash, app, label")
    while !rows.isAtEnd { labels[try rows.number()] = (try rows.text(), try rows.text()) }
    try readProfiles(client)
    for (index, word) in texts.sorted(by: { $0.value < $1.value }).enumerated() { names[word.key] = Int64(index) + 1 }
    let ordered = labels.sorted { ($0.value.app, $0.value.label) < ($1.value.app, $1.value.label) }
    for (index, release) in ordered.enumerated() { releases[release.key] = Int64(index) + 1 }
    for (index, hash) in profileFields.keys.sorted().enumerated() { profiles[hash] = Int64(index) + 1 }
  }

  private mutating func readProfiles(_ client: WarehouseClient) throws(StoreError) {
    var rows = try client.select(
      """
      SELECT hash, platform, osVersion, appVersion, sdkVersion, arm, traits, said, emulator FROM \(client.table("profile"))
      GROUP BY hash, platform, osVersion, appVersion, sdkVersion, arm, traits, said, emulator
      """)
    while !rows.isAtEnd {
      let hash = try rows.number(UInt64.self)
      var fields: [String] = []
      for _ in 0..<6 { fields.append(try rows.text()) }
      let (said, emulator) = (try rows.number(UInt8.self), try rows.number(Int8.self))
      func field(_ index: Int) -> String? { said >> UInt8(index) & 1 == 1 ? fields[index] : nil }
      profileFields[hash] = DeviceProfile(
        platform: field(0), osVersion: field(1), appVersion: field(2), sdkVersion: field(3), arm: field(4),
        emulator: emulator < 0 ? nil : emulator == 1, traits: field(5))
    }
  }

  func text(_ hash: UInt64) -> String? { texts[hash] }
  func label(_ hash: UInt64) -> String? { labels[hash]?.label }
  func fields(_ hash: UInt64) -> DeviceProfile? { profileFields[hash] }
}

// MARK: the vocabulary

extension WarehouseWords {
  func vocabulary(_ client: WarehouseClient) throws(StoreError) -> Vocabulary {
    let documents = try NodesDocuments(client)
    let records = labels.map { hash, release in
      ReleaseRecord(
        id: releases[hash] ?? 0, app: release.app, label: ReleaseLabel(rawValue: release.label),
        publications: documents.publications[hash] ?? [], sightings: documents.sightings[hash] ?? [])
    }
    return Vocabulary(
      names: Dictionary(uniqueKeysWithValues: names.map { ($1, texts[$0] ?? "") }),
      profiles: Dictionary(
        uniqueKeysWithValues: profiles.compactMap { hash, number in fields(hash).map { (number, $0) } }),
      releases: records, lags: documents.lags, places: try places(client),
      differences: documents.differences, impossible: documents.impossible)
  }

  private func places(_ client: WarehouseClient) throws(StoreError) -> [String: Vocabulary.Places] {
    var rows = try client.select(
      "SELECT app, one, other FROM \(client.table("mention")) WHERE kind = 3 GROUP BY app, one, other")
    var found: [String: (channels: Set<String>, platforms: Set<String>)] = [:]
    while !rows.isAtEnd {
      let (app, channel, platform) = (text(try rows.number()), text(try rows.number()), text(try rows.number()))
      guard let app, let channel else { continue }
      found[app, default: ([], [])].channels.insert(channel)
      if let platform { found[app, default: ([], [])].platforms.insert(platform) }
    }
    return found.mapValues { Vocabulary.Places(channels: $0.channels, platforms: $0.platforms) }
  }
}
