import Lifecycle
@testable import Store

@testable import Query

/// What a device said of itself, and when it first said so.
struct DeviceProfiles {
  private let sightings: [(firstSeen: Timestamp, profile: DeviceProfile)]

  init(_ shard: DeviceShard, _ index: Int, _ names: [Int64: DeviceProfile]) {
    sightings = shard.profiles(index).compactMap { sighting in
      names[sighting.profile].map { (sighting.firstSeen, $0) }
    }
  }

  /// What the device said of a property last, as of an instant; else what it said first after it.
  func property(_ path: KeyPath<DeviceProfile, String?>, at instant: Timestamp) -> String? {
    said(path, at: instant)?.text
  }

  /// The arm that it named as of an instant, else after it and before a sign of the release; what it named after a cutoff it did
  /// not.
  func arm(at instant: Timestamp, before sign: Timestamp?, until cutOff: Timestamp) -> String? {
    guard let said = said(\.arm, at: instant, until: cutOff) else { return nil }
    let isEarly = said.early || sign.map { said.at < $0 } ?? true
    return isEarly ? said.text : Group.lateArm
  }

  private func said(
    _ path: KeyPath<DeviceProfile, String?>, at instant: Timestamp, until end: Timestamp? = nil
  ) -> Candidate? {
    var best: Candidate?
    for (firstSeen, profile) in sightings where end.map({ firstSeen <= $0 }) ?? true {
      guard let text = profile[keyPath: path] else { continue }
      let candidate = (early: firstSeen <= instant, at: firstSeen, text: text)
      if let known = best, !Self.isBetter(candidate, known) { continue }
      best = candidate
    }
    return best
  }

  private typealias Candidate = (early: Bool, at: Timestamp, text: String)

  private static func isBetter(_ one: Candidate, _ other: Candidate) -> Bool {
    if one.early != other.early { return one.early }
    if one.at != other.at { return one.early ? one.at > other.at : one.at < other.at }
    return one.text < other.text
  }

  /// A device has one platform: the first it named.
  var platform: String? { property(\.platform, at: Timestamp(rawValue: .min)) }
  var isEmulator: Bool { sightings.contains { $0.profile.emulator == true } }
}
