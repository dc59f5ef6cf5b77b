/// What a reachable device runs, next to the release that is asked about.
enum ReachStanding: UInt8, CaseIterable { case exactly, newer, older, unknown }

/// Whether the rollout let a device have the release; unknown where nobody knows its bucket.
enum ReachEligibility: UInt8, CaseIterable { case yes, no, unknown }

/// Counts of reachable devices at one instant for one reach window.
struct ReachCounts: Mergeable {
  private(set) var reachable = 0
  private(set) var exactly = 0
  private(set) var newer = 0
  private(set) var older = 0
  private(set) var unknown = 0
  private(set) var eligible = 0
  private(set) var eligibleExactly = 0
  private(set) var eligibleNewer = 0
  private(set) var eligibilityUnknown = 0
  /// By number, 0 for devices that never said.
  private(set) var byRelease: [Int64: Int] = [:]

  init() {}

  /// - Parameter byKind: devices by `ReachState.kind`.
  init(byKind: [Int], _ running: [Int64: Int]) {
    byRelease = running
    for standing in ReachStanding.allCases {
      for eligibility in ReachEligibility.allCases {
        add(byKind[ReachState.kind(standing, eligibility)], standing, eligibility)
      }
    }
  }

  private mutating func add(_ devices: Int, _ standing: ReachStanding, _ eligibility: ReachEligibility) {
    reachable += devices
    switch standing {
    case .exactly: exactly += devices
    case .newer: newer += devices
    case .older: older += devices
    case .unknown: unknown += devices
    }
    switch eligibility {
    case .no: break
    case .unknown: eligibilityUnknown += devices
    case .yes:
      eligible += devices
      if standing == .exactly { eligibleExactly += devices }
      if standing == .newer { eligibleNewer += devices }
    }
  }

  mutating func add(_ other: ReachCounts, times: Int) {
    byRelease.add(other.byRelease, times: times)
    reachable += times * other.reachable
    exactly += times * other.exactly
    newer += times * other.newer
    older += times * other.older
    unknown += times * other.unknown
    eligible += times * other.eligible
    eligibleExactly += times * other.eligibleExactly
    eligibleNewer += times * other.eligibleNewer
    eligibilityUnknown += times * other.eligibilityUnknown
  }
}
