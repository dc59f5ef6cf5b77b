import Lifecycle

/// What a reachable device runs, next to the release that is asked about.
enum ReachStanding { case exactly, newer, older, unknown }

/// Whether the rollout let a device have the release; unknown where nobody knows its bucket.
enum ReachEligibility { case yes, no, unknown }

/// Counts of reachable devices at one instant for one reach window.
struct ReachCounts {
  private(set) var reachable = 0
  private(set) var exactly = 0
  private(set) var newer = 0
  private(set) var older = 0
  private(set) var unknown = 0
  private(set) var eligible = 0
  private(set) var eligibleExactly = 0
  private(set) var eligibleNewer = 0
  private(set) var eligibilityUnknown = 0

  /// By number, 0 for devices that never said; filled in when all are counted.
  private(set) var byRelease: [Int64: Int] = [:]

  mutating func add(_ standing: ReachStanding, _ eligibility: ReachEligibility) {
    reachable += 1
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

  mutating func add(_ other: ReachCounts, _ running: [Int64: Int]) {
    byRelease.merge(running, uniquingKeysWith: +)
    reachable += other.reachable
    exactly += other.exactly
    newer += other.newer
    older += other.older
    unknown += other.unknown
    eligible += other.eligible
    eligibleExactly += other.eligibleExactly
    eligibleNewer += other.eligibleNewer
    eligibilityUnknown += other.eligibilityUnknown
  }
}
