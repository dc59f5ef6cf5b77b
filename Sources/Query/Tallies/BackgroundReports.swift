import Lifecycle
import Store

/// What a device reported of work in the background.
struct BackgroundReports {
  var isReported = false
  var isRefreshed = false

  mutating func note(_ fact: WakeFact) {
    guard fact.stage != .pushSent else { return }
    isReported = true
    if fact.trigger == .bgRefresh { isRefreshed = true }
  }
}
