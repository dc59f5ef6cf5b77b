import Lifecycle
import Locks

/// What devices said of themselves, by number of the profile: a column for each thing that can be said, made when somebody
/// asks for it.
public final class ProfileWords: Sendable {
  static let (platform, arm, emulator) = ("platform", "arm", "emulator")
  static let (osVersion, appVersion, sdkVersion) = ("osVersion", "appVersion", "sdkVersion")
  static let isEmulator = "1"
  /// Beside them, traits have columns by their names.
  private static let fixed = [platform, osVersion, appVersion, sdkVersion, arm, emulator]

  /// Says of a page that a profile in it names no platform.
  private static let silent = "silent"

  private let pages: [String: [VocabularyPages.Column]]
  /// Those that are in no page.
  private let rest: [Int64: DeviceProfile]
  /// One more than the greatest number.
  private let room: Int
  private let known = Lock<[String: ProfileColumn]>([:])

  init(_ profiles: [Int64: DeviceProfile]) {
    (pages, rest) = ([:], profiles)
    room = Int(profiles.keys.max() ?? 0) + 1
  }

  init(_ connection: borrowing Connection) throws(StoreError) {
    let stored = try VocabularyPages(connection)
    let paged = try stored.count(.profile) * VocabularyPages.rows
    pages = try stored.columns(.profile)
    rest = Dictionary(uniqueKeysWithValues: try Self.read(connection, after: paged, upTo: .max))
    let newest = max(paged, rest.keys.max() ?? 0)
    // They are given one after another: a damaged one would ask for all memory.
    guard newest < paged + 1 << 20 + 64 * Int64(rest.count) else {
      throw StoreError(
        .corrupt, path: connection.path, reason: "profile \(newest) has a number that was never given")
    }
    room = Int(newest) + 1
    for column in pages.values.joined() where !NamedColumn.isWhole(column.bytes) {
      throw StoreError(
        .corrupt, path: connection.path, reason: "table summary, app 0, part \(column.page): is no column of profiles")
    }
  }

  /// Whether there are devices that named no platform.
  var hasSilent: Bool { pages[Self.silent] != nil || rest.values.contains { $0.platform == nil } }

  /// Names of the traits that there are.
  var traits: Set<String> {
    Set(rest.values.flatMap { DeviceTraits($0.traits).values.keys }).union(pages.keys)
      .subtracting(Self.fixed + [Self.silent])
  }

  func column(_ name: String) -> ProfileColumn {
    known.withLock { known in
      if let column = known[name] { return column }
      let column = made(name)
      known[name] = column
      return column
    }
  }

  private func made(_ name: String) -> ProfileColumn {
    let pages = (self.pages[name] ?? []).map { (page: $0.page, column: NamedColumn($0.bytes)) }
    let rest = rest.compactMap { id, profile in profile.value(name).map { (id: Int(id), value: $0) } }
    let names = Set(pages.flatMap(\.column.names)).union(rest.map(\.value)).sorted()
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, UInt32($0 + 1)) })
    var numbers = [UInt32](repeating: 0, count: room)
    for (page, column) in pages {
      column.write(into: &numbers, from: page * Int(VocabularyPages.rows) + 1) { places[$0] ?? 0 }
    }
    for (id, value) in rest { numbers[id] = places[value] ?? 0 }
    return ProfileColumn(names: [nil] + names, numbers: numbers)
  }

  /// All profiles, whole: for who shows single ones.
  var all: [Int64: DeviceProfile] {
    if pages.isEmpty { return rest }
    let columns = Set(Self.fixed).union(pages.keys).subtracting([Self.silent]).map { ($0, column($0)) }
    var found = rest
    for id in 1..<Int64(room) where found[id] == nil {
      var profile = DeviceProfile(
        platform: nil, osVersion: nil, appVersion: nil, sdkVersion: nil, arm: nil, emulator: nil)
      var traits = DeviceTraits()
      for (name, column) in columns {
        if let value = column.name(id), !profile.take(value, name) { traits[name] = value }
      }
      profile.traits = traits.text
      found[id] = profile
    }
    return found
  }
}

extension ProfileWords {
  static func read(
    _ connection: borrowing Connection, after first: Int64, upTo last: Int64
  ) throws(StoreError) -> [(Int64, DeviceProfile)] {
    try connection.prepare("SELECT * FROM profile WHERE id > ? AND id <= ?").rows(.integer(first), .integer(last)) {
      ($0.integer(0), DeviceProfile($0))
    }
  }

  /// Columns of a page; a trait that nobody named has none.
  static func packed(_ profiles: [(Int64, DeviceProfile)], after first: Int64) -> [(name: String, bytes: [UInt8])] {
    let traits = profiles.map { DeviceTraits.pairs($0.1.traits) }
    let names = Set(traits.flatMap { $0.map(\.name) }).sorted()
    func column(_ value: (Int) -> String?) -> [UInt8] {
      var values = [String?](repeating: nil, count: Int(VocabularyPages.rows))
      for (index, profile) in profiles.enumerated() { values[Int(profile.0 - first) - 1] = value(index) }
      return NamedColumn.pack(values)
    }
    let isSilent = profiles.contains { $0.1.platform == nil }
    return fixed.map { name in (name, column { profiles[$0].1.value(name) }) }
      + (isSilent ? [(silent, NamedColumn.pack([]))] : [])
      + names.map { name in (String(name), column { traits[$0].first { $0.name == name }.map { String($0.value) } }) }
  }
}

extension DeviceProfile {
  fileprivate func value(_ name: String) -> String? {
    switch name {
    case ProfileWords.platform: platform
    case ProfileWords.osVersion: osVersion
    case ProfileWords.appVersion: appVersion
    case ProfileWords.sdkVersion: sdkVersion
    case ProfileWords.arm: arm
    case ProfileWords.emulator: emulator.map { $0 ? ProfileWords.isEmulator : "0" }
    default: DeviceTraits.value(name, in: traits)
    }
  }

  /// False for a trait.
  fileprivate mutating func take(_ value: String, _ name: String) -> Bool {
    switch name {
    case ProfileWords.platform: platform = value
    case ProfileWords.osVersion: osVersion = value
    case ProfileWords.appVersion: appVersion = value
    case ProfileWords.sdkVersion: sdkVersion = value
    case ProfileWords.arm: arm = value
    case ProfileWords.emulator: emulator = value == ProfileWords.isEmulator
    default: return false
    }
    return true
  }
}
