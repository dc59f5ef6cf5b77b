import Lifecycle
import Store

/// What is known of one device up to a cut-off.
struct DeviceHistory {
  let runs: [ContactRun]
  let spells: [Spell]
  let bucket: UInt8?
  /// It had contacts after the cut-off, which nobody may look at.
  let hasFuture: Bool
  private let profiles: [(firstSeen: Timestamp, profile: DeviceProfile)]

  /// Clocks may be wrong by so much.
  static let tolerance = Milliseconds.minutes(5)

  init(_ shard: DeviceShard, _ index: Int, until cutOff: Timestamp, _ profileNames: [Int64: DeviceProfile]) {
    let all = shard.runs(index)
    hasFuture = all.contains { $0.end > cutOff + Self.tolerance }
    runs = all.compactMap { run in
      guard run.start <= cutOff else { return nil }
      var clipped = run
      clipped.end = min(run.end, cutOff)
      return clipped
    }
    spells = Spell.spells(runs)
    bucket = shard.bucket(index)
    profiles = shard.profiles(index).compactMap { sighting in
      profileNames[sighting.profile].map { (sighting.firstSeen, $0) }
    }
  }

  var firstContact: Timestamp? { spells.first?.start }

  /// What the device said of a property last, as of an instant; else what it said first after it.
  func property(_ path: KeyPath<DeviceProfile, String?>, at instant: Timestamp) -> String? {
    var best: (early: Bool, at: Timestamp, text: String)?
    for (firstSeen, profile) in profiles {
      guard let text = profile[keyPath: path] else { continue }
      let candidate = (early: firstSeen <= instant, at: firstSeen, text: text)
      if let known = best, !Self.isBetter(candidate, known) { continue }
      best = candidate
    }
    return best?.text
  }

  private typealias Candidate = (early: Bool, at: Timestamp, text: String)

  private static func isBetter(_ one: Candidate, _ other: Candidate) -> Bool {
    if one.early != other.early { return one.early }
    if one.at != other.at { return one.early ? one.at > other.at : one.at < other.at }
    return one.text < other.text
  }

  /// A device has one platform: the first it named.
  var platform: String? { property(\.platform, at: Timestamp(rawValue: .min)) }
  var isEmulator: Bool { profiles.contains { $0.profile.emulator == true } }
}

extension DeviceHistory {
  /// The first time at or after an instant, within a spell, at which the device said what it runs.
  ///
  /// A run that spans the instant has a contact less than a day after it; it counts as the instant itself.
  func firstClaim(in spell: Spell, from instant: Timestamp) -> (claim: Claim, release: Int64)? {
    var best: (at: Timestamp, claim: Claim, release: Int64)?
    for run in runs where run.claim != .silent && run.channel == spell.channel && run.end >= instant {
      let at = max(run.start, instant)
      guard spell.holds(at) || at == instant else { continue }
      let candidate = (at: at, claim: run.claim, release: run.release)
      guard let known = best else {
        best = candidate
        continue
      }
      if (candidate.at, candidate.claim, candidate.release) < (known.at, known.claim, known.release) {
        best = candidate
      }
    }
    return best.map { ($0.claim, $0.release) }
  }
}
