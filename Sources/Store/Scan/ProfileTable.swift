import Lifecycle

/// What devices said of themselves as small numbers, so that a scan compares no text.
public struct ProfileTable: Sendable {
  private let platformColumn, versionColumn, armColumn: ProfileColumn
  private let profiles: [Int64: DeviceProfile]
  private let emulators: [Bool]

  public init(_ profiles: [Int64: DeviceProfile]) {
    (platformColumn, armColumn) = (ProfileColumn(profiles, \.platform), ProfileColumn(profiles, \.arm))
    versionColumn = ProfileColumn(profiles, \.appVersion)
    self.profiles = profiles
    var emulators = Array(repeating: false, count: ProfileColumn.room(profiles))
    for (id, profile) in profiles { emulators[Int(id)] = profile.emulator == true }
    self.emulators = emulators
  }

  /// In order of name; the first is "nobody said". So it is for the others.
  public var platforms: [String?] { platformColumn.names }
  public var versions: [String?] { versionColumn.names }
  /// Of random experiments.
  public var arms: [String?] { armColumn.names }

  /// Anything that devices say of themselves. Made anew each time: to be kept by who asks of many devices.
  public func column(_ field: ProfileField) -> DeviceColumn {
    switch field {
    case .appVersion: .latest(versionColumn)
    case .osVersion: .latest(ProfileColumn(profiles, \.osVersion))
    case .sdkVersion: .latest(ProfileColumn(profiles, \.sdkVersion))
    case .network: .networks(NetworkColumn(profiles))
    case .region, .deviceModel, .tag:
      .latest(ProfileColumn(profiles) { DeviceTraits.value(field.rawValue, in: $0.traits) })
    case .bucket: .bucket
    }
  }

  /// What devices said of themselves, in order of name; nil where that is not told by profiles.
  public func said(_ field: ProfileField) -> [String]? {
    switch field {
    case .bucket: nil
    case .network: NetworkColumn(profiles).words
    case .appVersion, .osVersion, .sdkVersion, .region, .deviceModel, .tag: column(field).names.compactMap(\.self)
    }
  }

  /// The number of the platform that a device named first; of several at one instant the first by name.
  public func platform(_ devices: DeviceOutlines, _ index: Int) -> Int {
    platformColumn.number(devices, index, at: .min)
  }

  /// The number of what the device said last as of an instant, else of what it said first after it.
  @inline(__always)
  public func version(_ devices: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    versionColumn.number(devices, index, at: instant)
  }

  /// Likewise of the arm.
  @inline(__always)
  public func arm(_ devices: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    armColumn.number(devices, index, at: instant)
  }

  func isEmulator(_ devices: DeviceOutlines, _ index: Int) -> Bool {
    for sighting in devices.profileOffsets[index]..<devices.profileOffsets[index + 1] {
      let profile = devices.profiles[sighting]
      if profile > 0, profile < Int64(emulators.count), emulators[Int(profile)] { return true }
    }
    return false
  }
}

/// One thing that devices say of themselves.
public struct ProfileColumn: Sendable {
  /// In order of name; the first is "nobody said".
  public let names: [String?]
  /// By number of the profile.
  private var numbers: [Int]

  init(_ profiles: [Int64: DeviceProfile], _ value: (DeviceProfile) -> String?) {
    names = [nil] + Set(profiles.values.compactMap(value)).sorted()
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    numbers = Array(repeating: 0, count: Self.room(profiles))
    for (id, profile) in profiles { numbers[Int(id)] = places[value(profile)] ?? 0 }
  }

  static func room(_ profiles: [Int64: DeviceProfile]) -> Int { Int(profiles.keys.max() ?? 0) + 1 }

  /// The number of what a device said last as of an instant, else of what it said first after it; of equals the first by
  /// name. Most devices have one profile for all their life.
  @inline(__always)
  public func number(_ devices: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    let first = devices.profileOffsets[index]
    if devices.profileOffsets[index + 1] == first + 1 {
      let profile = devices.profiles[first]
      return isKnown(profile) ? numbers[Int(profile)] : 0
    }
    return latest(devices, index, at: instant)
  }

  private func isKnown(_ profile: Int64) -> Bool { profile > 0 && profile < Int64(numbers.count) }

  private func latest(_ devices: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    var best: Candidate?
    for sighting in devices.profileOffsets[index]..<devices.profileOffsets[index + 1] {
      let (profile, at) = (devices.profiles[sighting], devices.profileTimes[sighting])
      guard isKnown(profile), case let number = numbers[Int(profile)], number != 0 else { continue }
      let candidate = (early: at <= instant, at: at, number: number)
      if let known = best, !Self.isBetter(candidate, known) { continue }
      best = candidate
    }
    return best?.number ?? 0
  }

  private typealias Candidate = (early: Bool, at: Int64, number: Int)

  private static func isBetter(_ one: Candidate, _ other: Candidate) -> Bool {
    if one.early != other.early { return one.early }
    if one.at != other.at { return one.early ? one.at > other.at : one.at < other.at }
    return one.number < other.number
  }
}
