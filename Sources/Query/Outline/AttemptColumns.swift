import Store

/// One device's first attempt to get a release, and what came of it.
struct Attempt {
  var start: FirstTime
  var failed: FirstTime
  var applied: FirstTime
  var rolledBack: FirstTime
  /// Of the failure, a number of `name`.
  var reason: Int64?
}

extension JourneyView {
  /// nil where the device never tried.
  var attempt: Attempt? {
    attemptStart.map {
      Attempt(
        start: $0, failed: first(.failed), applied: first(.applied), rolledBack: first(.rolledBack),
        reason: failureReason)
    }
  }
}

/// The first attempts of a shard's journeys, column by column.
struct AttemptColumns {
  private let shard: JourneyShard
  /// As `JourneyView.attemptStart`.
  private var starts: [Int64]
  private let offers, failed, applied, rolledBack: [Int64]

  init(_ shard: JourneyShard) {
    self.shard = shard
    starts = Array(repeating: .max, count: shard.devices.count)
    func column(_ milestone: Milestone) -> [Int64] { shard.column(milestone) ?? [] }
    (offers, failed) = (column(.available), column(.failed))
    (applied, rolledBack) = (column(.applied), column(.rolledBack))
    for milestone in [Milestone.downloadStarted, .downloadCompleted, .verified, .ready, .applied, .failed] {
      guard let column = shard.column(milestone) else { continue }
      for place in starts.indices { starts[place] = min(starts[place], column[place]) }
    }
  }

  func start(_ place: Int) -> FirstTime? { starts[place] == .max ? nil : FirstTime(rawValue: starts[place]) }
  func offer(_ place: Int) -> FirstTime? {
    offers.isEmpty || offers[place] == .max ? nil : FirstTime(rawValue: offers[place])
  }

  @inline(__always)
  func attempt(_ place: Int, start: FirstTime) -> Attempt {
    func first(_ column: [Int64]) -> FirstTime { FirstTime(rawValue: column.isEmpty ? .max : column[place]) }
    let failure = first(failed)
    return Attempt(
      start: start, failed: failure, applied: first(applied), rolledBack: first(rolledBack),
      reason: failure.happened ? shard.failureReason(place) : nil)
  }
}
