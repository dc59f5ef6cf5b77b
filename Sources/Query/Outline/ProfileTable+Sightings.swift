import Lifecycle
import Store

/// The same of devices of which everything is at hand.
extension ProfileTable {
  func isEmulator(_ sightings: ArraySlice<ProfileSighting>) -> Bool {
    sightings.contains { isKnown($0.profile) && emulators[Int($0.profile)] }
  }

  /// As `DeviceProfiles.platform`: the first it named.
  func firstPlatform(_ sightings: ArraySlice<ProfileSighting>) -> Int {
    best(sightings, platformOf, at: .min)
  }

  func version(_ sightings: ArraySlice<ProfileSighting>, at instant: Int64) -> Int {
    best(sightings, versionOf, at: instant)
  }

  /// What was said last as of an instant, else what was said first after it; of equals the first by name.
  private func best(_ sightings: ArraySlice<ProfileSighting>, _ numbers: [Int], at instant: Int64) -> Int {
    var best: Candidate?
    for sighting in sightings {
      guard isKnown(sighting.profile), case let number = numbers[Int(sighting.profile)], number != 0 else { continue }
      let at = sighting.firstSeen.rawValue
      let candidate = (early: at <= instant, at: at, version: number)
      if let known = best, !Self.isBetter(candidate, known) { continue }
      best = candidate
    }
    return best?.version ?? 0
  }
}
