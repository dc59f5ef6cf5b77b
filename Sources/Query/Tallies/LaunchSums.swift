/// Launches of a release and what became of them within a day, whatever part of that day is over.
struct LaunchSums: Mergeable, Equatable {
  var launched = 0
  var rolledBack = 0
  var crashed = 0

  mutating func add(_ other: Self, times: Int) {
    launched += times * other.launched
    rolledBack += times * other.rolledBack
    crashed += times * other.crashed
  }
}

extension LaunchSums {
  init(_ counts: LaunchCounts) {
    self.init(launched: counts.launched, rolledBack: counts.rollbacks.events, crashed: counts.crashes.events)
  }
}
