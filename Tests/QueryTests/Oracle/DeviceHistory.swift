import Lifecycle
@testable import Store

@testable import Query

/// What is known of one device up to a cutoff.
struct DeviceHistory {
  /// Cut at the cutoff.
  let runs: [ContactRun]
  /// As the shard has them.
  let uncutRuns: ArraySlice<ContactRun>
  let spells: [Spell]
  let bucket: UInt8?
  /// It had contacts after the cutoff, which nobody may look at.
  let hasFuture: Bool
  private let profiles: DeviceProfiles

  /// Clocks may be wrong by so much.
  static let tolerance = Milliseconds.minutes(5)

  /// Decides between what was said at one instant.
  let order: NameOrder

  init(
    _ shard: DeviceShard, _ index: Int, until cutOff: Timestamp, _ profileNames: [Int64: DeviceProfile],
    _ order: NameOrder
  ) {
    self.order = order
    let all = shard.runs(index)
    uncutRuns = all
    hasFuture = all.contains { $0.end > cutOff + Self.tolerance }
    runs = all.compactMap { run in
      guard run.start <= cutOff else { return nil }
      var clipped = run
      clipped.end = min(run.end, cutOff)
      return clipped
    }
    spells = Spell.spells(runs, order)
    let named = shard.buckets[index]
    bucket = named != .max && named >> 7 <= cutOff.rawValue ? UInt8(named & 127) : nil
    profiles = DeviceProfiles(shard, index, profileNames)
  }

  var firstContact: Timestamp? { spells.first?.start }

  func property(_ path: KeyPath<DeviceProfile, String?>, at instant: Timestamp) -> String? {
    profiles.property(path, at: instant)
  }
  func arm(at instant: Timestamp, before sign: Timestamp?, until cutOff: Timestamp) -> String? {
    profiles.arm(at: instant, before: sign, until: cutOff)
  }
  var platform: String? { profiles.platform }
  var isEmulator: Bool { profiles.isEmulator }
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
      let isBefore =
        (at, run.claim) == (known.at, known.claim)
        ? order.release(run.release, precedes: known.release) : (at, run.claim) < (known.at, known.claim)
      if isBefore {
        best = candidate
      }
    }
    return best.map { ($0.claim, $0.release) }
  }
}

extension DeviceHistory {
  /// The device's attempt at the release of a journey; nil where it never tried.
  func attempt(_ journey: JourneyView, since: Timestamp?) -> Attempt? {
    func first(_ milestones: [Milestone]) -> FirstTime { milestones.lazy.map(journey.first).min() ?? .never }
    return Attempt(
      sign: first(Attempt.signs), claim: first(Attempt.claims), ready: journey.first(.ready),
      applied: journey.first(.applied),
      failed: journey.first(.failed), rolledBack: journey.first(.rolledBack), crashed: journey.first(.crashed),
      reason: journey.failureReason
    ) { instant in
      if let since, instant < since { return false }
      return uncutRuns.contains { run in
        run.claim != .silent && run.release != journey.release && run.channel == journey.channel
          && run.start < instant && since.map { run.end >= $0 - Attempt.fresh } ?? true
      }
    }
  }
}
