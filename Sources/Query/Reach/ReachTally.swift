import Lifecycle

/// What a reachable device runs, next to the release that is asked about.
enum ReachStanding { case exactly, newer, older, unknown }

/// Whether the rollout let a device have the release; unknown where nobody knows its bucket.
enum ReachEligibility { case yes, no, unknown }

/// Counts of reachable devices at one instant for one reach window.
struct ReachTally {
  private(set) var reachable = 0
  private(set) var exactly = 0
  private(set) var newer = 0
  private(set) var older = 0
  private(set) var unknown = 0
  private(set) var eligible = 0
  private(set) var eligibleExactly = 0
  private(set) var eligibleNewer = 0
  private(set) var eligibilityUnknown = 0
  private(set) var byRelease: [Int64: Int] = [:]

  mutating func add(_ release: Int64?, _ standing: ReachStanding, _ eligibility: ReachEligibility) {
    reachable += 1
    byRelease[release ?? 0, default: 0] += 1
    switch standing {
    case .exactly: exactly += 1
    case .newer: newer += 1
    case .older: older += 1
    case .unknown: unknown += 1
    }
    switch eligibility {
    case .no: break
    case .unknown: eligibilityUnknown += 1
    case .yes:
      eligible += 1
      if standing == .exactly { eligibleExactly += 1 }
      if standing == .newer { eligibleNewer += 1 }
    }
  }
}

/// How one release stands on one channel and platform, for telling what devices run.
struct ReachRules {
  let target: Int64
  let start: Timeline.Start?
  let newer: Set<Int64>

  init(_ target: Int64, _ timeline: Timeline, _ place: Group) {
    let channel = place.channel ?? ""
    self.target = target
    start = timeline.start(target, channel: channel, platform: place.platform)
    newer = timeline.newer(than: target, channel: channel, platform: place.platform)
  }

  func standing(_ release: Int64?) -> ReachStanding {
    guard let release else { return .unknown }
    return release == target ? .exactly : newer.contains(release) ? .newer : .older
  }

  /// A device that was offered the release, or runs it, was eligible whatever its bucket.
  func eligibility(_ view: DeviceView, _ channel: Int64, runs standing: ReachStanding, at instant: Timestamp)
    -> ReachEligibility
  {
    if standing == .exactly { return .yes }
    guard let start, start.publishedAt <= instant else { return .no }
    if let complete = start.completeAt, complete <= instant { return .yes }
    let journey = view.journey(target, channel)
    if let bucket = journey?.bucket ?? view.history.bucket {
      return start.eligibleAt(bucket: bucket).map { $0 <= instant } ?? false ? .yes : .no
    }
    return journey?.firstOffer.map { $0 <= instant } ?? false ? .yes : .unknown
  }
}
