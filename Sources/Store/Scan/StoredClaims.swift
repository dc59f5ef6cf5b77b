import Lifecycle

/// What devices are stored to have said of releases whose journeys are asked about.
struct StoredClaims {
  private let journeys: [StoredJourneys]
  private let releases: Set<Int64>

  init(_ journeys: [StoredJourneys], _ need: Need) {
    self.journeys = journeys
    releases = Set(need.journeys.filter { $1.isSuperset(of: .claims) }.keys)
  }

  /// Whether a device that is looked at is known never to have said that it has a release, or had it.
  func hasNone(of device: UInt64, release: Int64, channel: Int64) -> Bool {
    guard releases.contains(release) else { return false }
    guard let known = journeys.first(where: { $0.place.release == release && $0.place.channel == channel }) else {
      return true
    }
    guard let row = known.stored.devices.index(ofDevice: device) else {
      return known.devices.index(ofDevice: device) != nil
    }
    return JourneyShard.allClaims.allSatisfy { !known.stored.first($0, row).happened }
  }
}

/// The journeys of some devices of a shard on a release, as they are stored.
struct StoredJourneys {
  let place: JourneyPlace
  /// Those that are looked at, in order.
  let devices: [UInt64]
  let stored: JourneyShard
}
