import Lifecycle
import Store

/// What a device reported of work in the background.
struct BackgroundReports {
  var isReported = false
  var isRefreshed = false
  /// Of `FleetCounting.hours`: the last ones, and the same a day and a week before.
  var heard = (lately: false, aDayBefore: false, aWeekBefore: false)

  mutating func note(_ fact: WakeFact, until cutOff: Timestamp) {
    guard fact.stage != .pushSent else { return }
    let age = (cutOff - fact.at).rawValue
    func isWithin(_ days: Int64) -> Bool {
      let start = Milliseconds.days(days).rawValue
      return age >= start && age < start + FleetCounting.hours.rawValue
    }
    if isWithin(0) { heard.lately = true }
    if isWithin(1) { heard.aDayBefore = true }
    if isWithin(7) { heard.aWeekBefore = true }
    // A check of its own is not about the background: clients send it at each start.
    if fact.stage != .check || fact.trigger.isInBackground { isReported = true }
    if fact.trigger == .bgRefresh { isRefreshed = true }
  }
}

extension Trigger {
  fileprivate var isInBackground: Bool {
    switch self {
    case .silentPush, .bgRefresh, .location: true
    case .foreground, .unknown: false
    }
  }
}
