import Lifecycle
import Store

/// Platforms and versions of the app as small numbers, so that a walk over outlines compares no text.
struct ProfileTable {
  /// In order of name; the first is "nobody said".
  let platforms: [String?]
  let versions: [String?]
  private(set) var platformOf: [Int] = []
  private(set) var versionOf: [Int] = []
  private(set) var emulators: [Bool] = []

  init(_ profiles: [Int64: DeviceProfile]) {
    platforms = [nil] + Set(profiles.values.compactMap(\.platform)).sorted()
    versions = [nil] + Set(profiles.values.compactMap(\.appVersion)).sorted()
    let count = Int(profiles.keys.max() ?? 0) + 1
    (platformOf, versionOf) = (Array(repeating: 0, count: count), Array(repeating: 0, count: count))
    emulators = Array(repeating: false, count: count)
    for (id, profile) in profiles {
      platformOf[Int(id)] = number(ofPlatform: profile.platform)
      versionOf[Int(id)] = number(ofVersion: profile.appVersion)
      emulators[Int(id)] = profile.emulator == true
    }
  }

  func number(ofPlatform name: String?) -> Int { platforms.firstIndex(of: name) ?? 0 }
  func number(ofVersion name: String?) -> Int { versions.firstIndex(of: name) ?? 0 }

  func isKnown(_ profile: Int64) -> Bool { profile > 0 && profile < Int64(platformOf.count) }

  /// nil where the device named several.
  func platform(_ outlines: DeviceOutlines, _ index: Int) -> Int? {
    var found = 0
    for place in outlines.profileOffsets[index]..<outlines.profileOffsets[index + 1] {
      let profile = outlines.profiles[place]
      guard isKnown(profile), case let platform = platformOf[Int(profile)], platform != 0 else { continue }
      if found != 0, found != platform { return nil }
      found = platform
    }
    return found
  }

  func isEmulator(_ outlines: DeviceOutlines, _ index: Int) -> Bool {
    for place in outlines.profileOffsets[index]..<outlines.profileOffsets[index + 1] {
      let profile = outlines.profiles[place]
      if isKnown(profile), emulators[Int(profile)] { return true }
    }
    return false
  }

  /// What the device said last as of an instant, else what it said first after it; of equals the first by name.
  func version(_ outlines: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    let first = outlines.profileOffsets[index]
    if outlines.profileOffsets[index + 1] == first + 1 {
      let profile = outlines.profiles[first]
      return isKnown(profile) ? versionOf[Int(profile)] : 0
    }
    return latestVersion(outlines, index, at: instant)
  }

  private func latestVersion(_ outlines: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    var best: (early: Bool, at: Int64, version: Int)?
    for place in outlines.profileOffsets[index]..<outlines.profileOffsets[index + 1] {
      let (profile, at) = (outlines.profiles[place], outlines.profileTimes[place])
      guard isKnown(profile), case let version = versionOf[Int(profile)], version != 0 else { continue }
      let candidate = (early: at <= instant, at: at, version: version)
      if let known = best, !Self.isBetter(candidate, known) { continue }
      best = candidate
    }
    return best?.version ?? 0
  }

  typealias Candidate = (early: Bool, at: Int64, version: Int)

  static func isBetter(_ one: Candidate, _ other: Candidate) -> Bool {
    if one.early != other.early { return one.early }
    if one.at != other.at { return one.early ? one.at > other.at : one.at < other.at }
    return one.version < other.version
  }
}
