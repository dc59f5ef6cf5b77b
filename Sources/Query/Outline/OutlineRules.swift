import Lifecycle
import Statistics
import Store

/// `AtRiskRules` in numbers, for devices that an outline is enough to judge: one channel, one spell.
///
/// A class, so that walking over devices does not count references to all that it holds. It decides nothing of its own: a test holds it against `AtRiskRules` on every scenario.
final class OutlineRules {
  let rules: AtRiskRules
  let publishedAt: Int64
  let cutOff: Int64
  /// When the chance to update ends for everybody, and why.
  let limit: (at: Int64, reason: Censoring)
  let supersededAt: Int64
  let window: Int64
  let isFromOwnStart: Bool
  private let includesEmulators: Bool
  private let countsDelivery: Bool
  /// By the code of a trigger.
  private let causes: [Cause]
  /// By rollout bucket; `.max` is never. Empty where the release came to all at once.
  private let eligible: [Int64]
  private let completeAt: Int64
  /// Whether a release is this one or a newer one, by its number.
  private let isSuccessor: [Bool]
  /// Nothing spoke of a newer release before this one was published.
  private let areNewerLate: Bool

  init(_ rules: AtRiskRules, _ timeline: Timeline, channel: String) {
    self.rules = rules
    publishedAt = rules.start.publishedAt.rawValue
    cutOff = rules.cutOff.rawValue
    window = rules.selection.reachWindow.rawValue
    isFromOwnStart = rules.selection.clock == .own
    includesEmulators = rules.selection.includesEmulators
    countsDelivery = rules.selection.attribution == .delivered
    causes = (0..<8).map { Cause(FirstTime(rawValue: $0).trigger) }
    supersededAt = rules.supersededAt?.rawValue ?? .max
    limit = supersededAt < cutOff ? (supersededAt, .superseded) : (cutOff, .cutOff)
    eligible =
      rules.start.isStaged
      ? (0..<128).map { rules.start.eligibleAt(bucket: $0)?.rawValue ?? .max } : []
    completeAt = rules.start.completeAt?.rawValue ?? .max
    let successors = rules.newer.union([rules.target])
    var isSuccessor = [Bool](repeating: false, count: Int(successors.max() ?? 0) + 1)
    for release in successors { isSuccessor[Int(release)] = true }
    self.isSuccessor = isSuccessor
    let published = rules.start.publishedAt
    areNewerLate = timeline.releases.allSatisfy { record in
      !rules.newer.contains(record.id)
        || record.sightings.allSatisfy { $0.channel != channel || $0.firstAt >= published }
    }
  }

  var isStaged: Bool { !eligible.isEmpty }

  /// Where the device's clock starts.
  @inline(__always)
  func origin(_ found: OutlineFound) -> Int64 { isFromOwnStart ? found.eligibleAt : publishedAt }

  /// As `JourneyView.mechanism`.
  @inline(__always)
  private func mechanism(_ journey: OutlineJourney) -> Cause {
    let first = countsDelivery && journey.isDelivered ? journey.delivery : journey.applied
    return first == .max ? .unknown : causes[Int(first & 7)]
  }

  @inline(__always)
  private func isSuccessor(_ release: Int64) -> Bool {
    release > 0 && release < Int64(isSuccessor.count) && isSuccessor[Int(release)]
  }
}

/// What is known of the device at hand.
struct OutlineDevice {
  var start: Int64
  var isEmulator: Bool
  var birth: Int64
  var bornAt: Int64
  var bucket: UInt8?
}

/// What `AtRisk` says, without arrays.
struct OutlineFound {
  var eligibleAt: Int64
  var exclusion: Exclusion?
  var isClamped = false
  var isImplied = false
  var isFromFirstOffer = false
  /// `.max` where it did not update.
  var updatedAt = Int64.max
  var cause = Cause.unknown

  @inline(__always)
  func excluded(_ reason: Exclusion) -> OutlineFound {
    var copy = self
    copy.exclusion = reason
    copy.updatedAt = .max
    return copy
  }
}

extension OutlineRules {
  /// nil where the outline says too little.
  @inline(__always)
  func judge(_ device: OutlineDevice, _ journey: OutlineJourney?) -> OutlineFound? {
    var found = OutlineFound(eligibleAt: max(publishedAt, device.start))
    if device.isEmulator, !includesEmulators { return found.excluded(.emulator) }
    let applied = journey.flatMap { $0.applied(from: device.start, until: cutOff) }
    if let applied {
      if applied < publishedAt - DeviceHistory.tolerance.rawValue { return found.excluded(.skewExcluded) }
      if applied == device.start { return found.excluded(.firstSeenAtUpdate) }
    } else {
      guard let isBornOn = isBornOn(device, journey) else { return nil }
      if isBornOn { return found.excluded(.bornOn) }
    }
    guard let eligibleAt = eligibility(device, journey, applied, &found) else { return found.excluded(.notEligible) }
    if let applied, applied < eligibleAt, applied >= publishedAt { return found.excluded(.beforeEligibility) }
    found.eligibleAt = max(found.eligibleAt, eligibleAt)
    if found.eligibleAt >= limit.at { return found.excluded(.notEligible) }
    setUpdate(device, journey, applied, &found)
    return found
  }

  /// Its first word after the publication: that it runs this release or a newer one, without having applied it.
  @inline(__always)
  private func isBornOn(_ device: OutlineDevice, _ journey: OutlineJourney?) -> Bool? {
    if device.birth == DeviceOutlines.unclear { return nil }
    if isSuccessor(device.birth) {
      if device.bornAt > cutOff { return false }
      return device.bornAt >= max(publishedAt, device.start) ? true : nil
    }
    // What it ran otherwise it had applied before it said so; if that was after the publication, that word came first.
    if device.start < publishedAt {
      if !areNewerLate { return nil }
      if let journey, journey.confirmedAt < publishedAt { return nil }
    }
    return false
  }

  @inline(__always)
  private func eligibility(
    _ device: OutlineDevice, _ journey: OutlineJourney?, _ applied: Int64?, _ found: inout OutlineFound
  ) -> Int64? {
    guard !eligible.isEmpty else { return publishedAt }
    if let bucket = journey?.bucket ?? device.bucket {
      return eligible[Int(bucket)] == .max ? nil : eligible[Int(bucket)]
    }
    if !isFromOwnStart { return publishedAt }
    found.isFromFirstOffer = true
    let offer = journey.map(\.firstOffer) ?? .max
    let first = min(offer != .max ? offer : applied ?? .max, completeAt)
    return first == .max ? nil : first
  }

  @inline(__always)
  private func setUpdate(
    _ device: OutlineDevice, _ journey: OutlineJourney?, _ applied: Int64?, _ found: inout OutlineFound
  ) {
    guard let journey else { return }
    var updated = Int64.max
    if let applied {
      updated = max(applied, publishedAt)
      found.isClamped = applied < publishedAt
      found.cause = mechanism(journey)
    } else if !journey.isApplied, case let seen = min(journey.confirmedAt, journey.runningAt), seen <= cutOff,
      seen >= found.eligibleAt, seen >= device.start
    {
      updated = seen
      found.isImplied = true
      found.cause = journey.isDelivered ? mechanism(journey) : .unknown
    }
    if updated < supersededAt { found.updatedAt = updated }
  }
}
