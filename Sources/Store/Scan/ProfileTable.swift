/// What devices said of themselves as small numbers, so that a scan compares no text.
public struct ProfileTable: Sendable {
  /// In order of name; the first is "nobody said".
  public let platforms: [String?]
  public let versions: [String?]
  public let osVersions: [String?]
  public let sdkVersions: [String?]
  /// Of random experiments.
  public let arms: [String?]
  private var platformOf: [Int] = []
  private var versionOf: [Int] = []
  private var armOf: [Int] = []
  private var osVersionOf: [Int] = []
  private var sdkVersionOf: [Int] = []
  private var emulators: [Bool] = []

  public init(_ profiles: [Int64: DeviceProfile]) {
    func words(_ path: KeyPath<DeviceProfile, String?>) -> [String?] {
      [nil] + Set(profiles.values.compactMap { $0[keyPath: path] }).sorted()
    }
    (platforms, versions, arms) = (words(\.platform), words(\.appVersion), words(\.arm))
    (osVersions, sdkVersions) = (words(\.osVersion), words(\.sdkVersion))
    let none = Array(repeating: 0, count: Int(profiles.keys.max() ?? 0) + 1)
    (platformOf, versionOf, armOf) = (none, none, none)
    (osVersionOf, sdkVersionOf) = (none, none)
    emulators = none.map { _ in false }
    for (id, profile) in profiles {
      platformOf[Int(id)] = platforms.firstIndex(of: profile.platform) ?? 0
      versionOf[Int(id)] = versions.firstIndex(of: profile.appVersion) ?? 0
      armOf[Int(id)] = arms.firstIndex(of: profile.arm) ?? 0
      osVersionOf[Int(id)] = osVersions.firstIndex(of: profile.osVersion) ?? 0
      sdkVersionOf[Int(id)] = sdkVersions.firstIndex(of: profile.sdkVersion) ?? 0
      emulators[Int(id)] = profile.emulator == true
    }
  }

  /// The number of the platform that a device named first; of several at one instant the first by name.
  public func platform(_ devices: DeviceOutlines, _ index: Int) -> Int { number(devices, index, platformOf, at: .min) }

  /// The number of what the device said last as of an instant, else of what it said first after it; of equals the first
  /// by name.
  @inline(__always)
  public func version(_ devices: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    number(devices, index, versionOf, at: instant)
  }

  /// Likewise of the arm.
  @inline(__always)
  public func arm(_ devices: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    number(devices, index, armOf, at: instant)
  }

  /// Likewise of the system's version, and of the client's.
  public func osVersion(_ devices: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    number(devices, index, osVersionOf, at: instant)
  }
  public func sdkVersion(_ devices: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    number(devices, index, sdkVersionOf, at: instant)
  }

  func isEmulator(_ devices: DeviceOutlines, _ index: Int) -> Bool {
    for sighting in devices.profileOffsets[index]..<devices.profileOffsets[index + 1] {
      let profile = devices.profiles[sighting]
      if isKnown(profile), emulators[Int(profile)] { return true }
    }
    return false
  }

  private func isKnown(_ profile: Int64) -> Bool { profile > 0 && profile < Int64(platformOf.count) }

  /// Most devices have one profile for all their life.
  @inline(__always)
  private func number(_ devices: DeviceOutlines, _ index: Int, _ numbers: [Int], at instant: Int64) -> Int {
    let first = devices.profileOffsets[index]
    if devices.profileOffsets[index + 1] == first + 1 {
      let profile = devices.profiles[first]
      return isKnown(profile) ? numbers[Int(profile)] : 0
    }
    return latest(devices, index, numbers, at: instant)
  }

  private func latest(_ devices: DeviceOutlines, _ index: Int, _ numbers: [Int], at instant: Int64) -> Int {
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
