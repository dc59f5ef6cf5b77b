import Lifecycle
import Statistics

extension RiskRules {
  /// Calls back with the device's time at risk by the chosen rule, up to its update or to whatever ended the chance of
  /// one; false where there is none.
  ///
  /// - Parameters:
  ///   - starts: of contacts, the stay's own at its `contacts`.
  ///   - lastContact: of the stay, up to the cutoff; looked at only where devices are censored when last seen.
  ///   - emit: from when until when, how it ended, and when the device counts as silent.
  @inline(__always)
  func timeAtRisk(
    eligibleAt: Int64, updatedAt: Int64, _ cause: Cause, _ stay: Stay, _ starts: [Int64], _ ends: [Int64],
    lastContact: Int64, _ emit: (_ from: Int64, _ to: Int64, _ ending: Ending, _ silentAt: Int64) -> Void
  ) -> Bool {
    if updatedAt < eligibleAt { return false }
    let limit = limit(stay)
    var isAny = false
    /// True where the device updated in the stretch.
    @inline(__always)
    func add(_ start: Int64, _ end: Int64, isLast: Bool) -> Bool {
      let from = max(start, eligibleAt)
      if updatedAt != .max, updatedAt <= end || isLast {
        emit(min(from, updatedAt), updatedAt, .event(cause), end)
        return true
      }
      let (exit, reason) = end < limit.at ? (end, Censoring.silent) : limit
      if exit > from {
        isAny = true
        emit(from, exit, .censored(reason), end)
      }
      return false
    }
    switch censor {
    case .cutOff: return add(stay.start, .max, isLast: true) || isAny
    case .lastSeen:
      guard lastContact > publishedAt else { return false }
      return add(stay.start, max(lastContact, eligibleAt + 1000), isLast: true) || isAny
    case .window:
      // From a contact until the silence after it has lasted for the reach window. It is never looked at whether the
      // device will be seen later.
      var next = stay.contacts.lowerBound
      while next < stay.contacts.upperBound, starts[next] <= cutOff {
        let start = starts[next]
        var end = min(ends[next], cutOff) + window
        next += 1
        while next < stay.contacts.upperBound, starts[next] < end, starts[next] <= cutOff {
          end = max(end, min(ends[next], cutOff) + window)
          next += 1
        }
        if add(start, end, isLast: next == stay.contacts.upperBound || starts[next] > cutOff) { return true }
      }
      return isAny
    }
  }
}
